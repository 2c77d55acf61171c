"""Keys whose shape their issuers publish: a row for each.

Only runs of sixteen and more letters, digits, `_` and `-` with a digit among them are looked at for these hints, and
a little text before each; ordinary output has few of them, so a hundred more rows cost next to nothing. Hints of ANYWHERE are looked for
in the whole text, because their tokens may be short or without a digit. Order matters where two rows may match at one
place: the first one names the mark.
"""

from __future__ import annotations

from engrain.redact.likely import random, switches
from engrain.redact.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def varied(match: Match[str]) -> bool:
    """Not `ghp_xxxx…`: the key itself has several different characters."""
    return len(set(match[0][-24:])) >= 6


def drawn(match: Match[str]) -> bool:
    """Looks random: for prefixes that words have too (`sk-` of style sheets)."""
    return random(match[0][match.re.groups and 0 :].split("-", 1)[-1].split("_", 1)[-1], 12)


def tangled(match: Match[str]) -> bool:
    """Changes its kind of character often, as base64 does and names do not."""
    return switches(match[0]) >= 5


_W = r"[A-Za-z0-9_-]"
_N = r"(?![A-Za-z0-9])"
_HEX32 = r"[0-9a-fA-F]{32}"
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"


def _key(name: str, prefixes: str, body: str, what: str) -> Rule:
    """A key that begins with one of these prefixes, whatever stands before it, and goes on with `body`."""
    hints = tuple(prefixes.split())
    starts = "|".join(hint.replace(".", r"\.").replace("$", r"\$") for hint in hints)
    long = all(len(hint) > 3 for hint in hints)
    return Rule(name, hints, f"(?:{starts}){body}", what, varied, 0, not long)


CLOUDS = (
    Rule("aws-key-id", ("AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA", "AGPA", "AIPA", "ANPA", "ANVA"),
         r"A(?:KIA|SIA|BIA|CCA|ROA|IDA|GPA|IPA|NPA|NVA)[A-Z0-9]{16,17}" + _N, "AWS access key id", varied),
    _key("aws-mws-key", "amzn.mws.", r"[0-9a-z-]{36}", "Amazon MWS key"),
    _key("aws-appsync-key", "da2-", r"[a-z0-9]{26}" + _N, "AWS AppSync key"),
    _key("aws-bedrock-key", "bedrock-api-key-", r"[A-Za-z0-9+/=._-]{16,}", "Amazon Bedrock key"),
    _key("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", r"[A-Za-z0-9+/=%]{40,}", "AWS session token"),
    _key("google-api-key", "AIza", r"[A-Za-z0-9_-]{35,}", "Google API key"),
    _key("google-oauth-secret", "GOCSPX-", r"[A-Za-z0-9_-]{20,}", "Google OAuth client secret"),
    _key("google-access-token", "ya29.", r"[A-Za-z0-9_.-]{20,}", "Google access token"),
    _key("google-refresh-token", "1//0", r"[A-Za-z0-9_-]{30,}", "Google refresh token"),
    Rule("firebase-key", (":APA91b",), r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{60,}", "Firebase messaging key", None, 11),
    Rule("azure-client-secret", ("Q~",), r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", "Azure application secret", varied, 4),
    _key("azure-devops-token", "AZDO", r"[A-Za-z0-9]{4}" + _N, "Azure DevOps token")._replace(
        pattern=r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}" + _N, before=76),
    _key("alibaba-key-id", "LTAI", r"[A-Za-z0-9]{12,26}" + _N, "Alibaba Cloud key id"),
    _key("tencent-key-id", "AKID", r"[A-Za-z0-9]{13,40}" + _N, "Tencent Cloud key id"),
    _key("baidu-key", "bce-v3/ALTAK-", r"[A-Za-z0-9/]{20,}", "Baidu Cloud key"),
    _key("volcengine-key-id", "AKLT", r"[A-Za-z0-9]{40,60}", "Volcengine key id")._replace(check=tangled),
    _key("yandex-key", "AQVN", r"[A-Za-z0-9_-]{35,38}" + _N, "Yandex Cloud key"),
    _key("yandex-token", "y0_Ag t1.9eu", r"[A-Za-z0-9_.-]{40,}", "Yandex token"),
    _key("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_ dosv1_", r"[a-f0-9]{40,64}", "DigitalOcean token"),
    _key("heroku-key", "HRKU-", _UUID + r"|HRKU-AA[A-Za-z0-9_-]{50,}", "Heroku key"),
    _key("linode-token", "linode_pat_", r"[0-9a-f]{32,}", "Linode token"),
    _key("hetzner-token", "hcloud_", r"[A-Za-z0-9]{40,}", "Hetzner token"),
    _key("scaleway-key-id", "SCW", r"[A-Z0-9]{17}" + _N, "Scaleway key id")._replace(check=tangled),
    _key("fly-token", "FlyV1 fo1_", r"[ ]?[A-Za-z0-9_+/=,-]{30,}", "Fly.io token"),
    _key("fly-token", "fm1r_ fm1a_ fm2_", r"[A-Za-z0-9_+/=-]{30,}", "Fly.io token"),
    _key("render-key", "rnd_", r"[A-Za-z0-9]{28,}", "Render key"),
    _key("netlify-token", "nfp_ nfo_ nfc_ nfu_ nfb_", r"[A-Za-z0-9_-]{36,}", "Netlify token"),
    _key("vercel-token", "vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_ vercel_", r"[A-Za-z0-9_]{20,}", "Vercel token"),
    _key("cloudflare-token", "cfut_ cfat_ cfk_ cfp_", r"[A-Za-z0-9_-]{36,}", "Cloudflare token"),
    Rule("cloudflare-ca-key", ("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}", "Cloudflare origin CA key"),
    _key("tailscale-key", "tskey-", r"[A-Za-z0-9-]{16,}", "Tailscale key"),
    _key("ngrok-token", "ngrok_ cr_", r"[A-Za-z0-9_]{40,}", "ngrok token"),
    _key("supabase-key", "sbp_ sb_secret_ sb_publishable_", r"[A-Za-z0-9_-]{20,}", "Supabase key"),
    _key("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_pass_", r"[A-Za-z0-9_.=-]{30,}", "PlanetScale token"),
    _key("neon-key", "napi_", r"[a-z0-9]{40,}", "Neon key"),
    _key("mongodb-key", "mdb_sa_sk_ mdb_sa_id_", r"[A-Za-z0-9_-]{20,}", "MongoDB Atlas key"),
    _key("cockroach-key", "CCDB1_", r"[A-Za-z0-9_]{30,}", "CockroachDB key"),
    _key("aiven-secret", "AVNS_", r"[A-Za-z0-9_-]{15,}", "Aiven password"),
    _key("confluent-key", "cflt", r"[A-Za-z0-9+/]{56,60}" + _N, "Confluent secret")._replace(check=tangled),
    _key("databricks-token", "dapi dkea dose dsapi", r"[a-f0-9]{32}(?:-\d+)?" + _N, "Databricks token"),
    _key("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}" + _N, "Prefect key"),
    _key("dbt-token", "dbtc_ dbtu_", r"[A-Za-z0-9_-]{30,}", "dbt Cloud token"),
    _key("fastly-token", "fastly_", r"[A-Za-z0-9_-]{30,}", "Fastly token"),
)

CODE = (
    _key("github-token", "ghp_ gho_ ghu_ ghs_ ghr_ ghc_", r"[A-Za-z0-9_]{36,}(?:\.[A-Za-z0-9_.-]{20,})?", "GitHub token"),
    _key("github-token", "github_pat_", r"[A-Za-z0-9_]{36,}", "GitHub fine-grained token"),
    Rule("github-token", ("v1.",), r"v1\.[0-9a-f]{40}" + _N, "GitHub app token", varied),
    _key("gitlab-token", "glpat- glptt- gldt- glrt- glrtr- glcbt- glft- glimt- glagent- glsoat- gloas- glffct- glwt-",
         r"[A-Za-z0-9_.-]{20,}", "GitLab token"),
    _key("gitlab-token", "GR1348941", r"[A-Za-z0-9_-]{20,}", "GitLab runner token"),
    _key("atlassian-token", "ATATT3xFf ATSTT3xFf ATOAT3xFf ATCTT3xFf", r"[A-Za-z0-9_=-]{30,}", "Atlassian token"),
    _key("npm-token", "npm_", r"[A-Za-z0-9]{36,}", "npm token"),
    _key("pypi-token", "pypi-AgE pypi-AgN", r"[A-Za-z0-9_-]{40,}", "PyPI token"),
    _key("rubygems-key", "rubygems_", r"[a-f0-9]{48}" + _N, "RubyGems key"),
    _key("nuget-key", "oy2", r"[a-z0-9]{43}" + _N, "NuGet key"),
    _key("crates-token", "cio", r"[A-Za-z0-9]{32}" + _N, "crates.io token"),
    _key("clojars-token", "CLOJARS_", r"[0-9a-fA-F]{60,}", "Clojars token"),
    _key("hex-key", "hex_", r"[0-9a-f]{32,}", "Hex.pm key"),
    _key("packagist-token", "packagist_uut_ packagist_out_ packagist_ack_ packagist_", r"[a-z]*_?[a-f0-9]{40,}", "Packagist token"),
    _key("docker-token", "dckr_pat_ dckr_oat_", r"[A-Za-z0-9_-]{20,}", "Docker token"),
    Rule("artifactory-token", ("cmVmdGtu",), r"cmVmdGtu[A-Za-z0-9]{40,}", "JFrog reference token", varied),
    _key("sourcegraph-token", "sgp_ slk_ sgd_ sgs_", r"(?:[A-Za-z0-9]{1,16}_)?[0-9a-fA-F]{32,64}" + _N, "Sourcegraph token"),
    _key("sonar-token", "sqp_ squ_ sqa_ sqb_", r"[0-9a-f]{40}" + _N, "SonarQube token"),
    _key("circleci-token", "CCIPAT_ CCIPRJ_ CCIPRJ", r"[A-Za-z0-9]{10,}_[0-9a-f]{40}", "CircleCI token"),
    _key("buildkite-token", "bkua_ bkpt_ bkaj_", r"[A-Za-z0-9]{36,}", "Buildkite token"),
    _key("harness-token", "pat. sat.", r"[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}", "Harness token"),
    _key("semgrep-token", "sgapp_", r"[0-9a-f]{40,}", "Semgrep token"),
    _key("socket-token", "sktsec_", r"[A-Za-z0-9_-]{30,}", "Socket token"),
    _key("postman-key", "PMAK- PMAT-", r"[A-Za-z0-9-]{26,}", "Postman key"),
    _key("terraform-token", ".atlasv1.", r"", "Terraform Cloud token")._replace(
        pattern=r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,}", before=14),
    _key("vault-token", "hvs. hvb. hvr.", r"[A-Za-z0-9_-]{20,}", "Vault token"),
    Rule("vault-token", ("s.",), r"s\.[A-Za-z0-9]{24}(?:\.[A-Za-z0-9]{5})?" + _N + r"(?![\w.(-])", "Vault token", tangled),
    _key("doppler-token", "dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. dp.said.", r"[A-Za-z0-9_.-]{20,}", "Doppler token"),
    _key("infisical-token", "st.", r"[0-9a-f-]{32,36}\.[0-9a-f]{20,}[.0-9a-f]*", "Infisical token"),
    _key("1password-token", "ops_eyJ", r"[A-Za-z0-9_=-]{60,}", "1Password service token"),
    Rule("1password-key", ("A3-",), r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
         "1Password secret key", varied),
    _key("age-key", "AGE-SECRET-KEY-", r"[A-Z0-9-]{40,}", "age secret key"),
    _key("pulumi-token", "pul-", r"[a-f0-9]{40}" + _N, "Pulumi token"),
    _key("jetbrains-token", "perm:", r"[A-Za-z0-9+/=-]+\.[A-Za-z0-9+/=-]+\.[A-Za-z0-9]{20,}", "JetBrains token"),
    _key("deno-token", "ddp_ ddo_", r"[A-Za-z0-9]{36}" + _N, "Deno Deploy token"),
    _key("phabricator-token", "cli-", r"[a-z0-9]{28}" + _N, "Phabricator token")._replace(check=tangled, edge=True),
    _key("kaggle-token", "KGAT_", r"[0-9a-f]{32}", "Kaggle token"),
    _key("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s06. dt0s08. dt0s16. dt0", r"[A-Za-z0-9.]*[A-Z0-9]{8,24}\.[A-Z0-9]{60,}", "Dynatrace token"),
)

MODELS = (
    _key("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,}", "Anthropic key"),
    _key("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1- sk-lf- pk-lf- sk-live- sk-test-", r"[A-Za-z0-9_-]{20,}", "OpenAI or like key"),
    Rule("openai-key", ("sk-",), r"sk-[A-Za-z0-9_-]{20,}", "OpenAI or like key", drawn),
    _key("openai-session", "sess-", r"[A-Za-z0-9]{40}" + _N, "OpenAI session"),
    _key("huggingface-token", "hf_ api_org_", r"[A-Za-z]{34,}|hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,}", "Hugging Face token"),
    _key("xai-key", "xai-", r"[A-Za-z0-9_-]{60,}", "xAI key"),
    _key("groq-key", "gsk_", r"[A-Za-z0-9]{40,}", "Groq key"),
    _key("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}", "Perplexity key"),
    _key("replicate-token", "r8_", r"[A-Za-z0-9]{37,}", "Replicate token"),
    _key("together-key", "tgp_v1_", r"[A-Za-z0-9_-]{30,}", "Together AI key"),
    _key("fireworks-key", "fw_", r"[A-Za-z0-9]{22,}" + _N, "Fireworks key")._replace(check=tangled),
    _key("nvidia-key", "nvapi-", r"[A-Za-z0-9_-]{50,}", "NVIDIA key"),
    _key("cerebras-key", "csk-", r"[a-z0-9]{40,}", "Cerebras key"),
    _key("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", r"[A-Za-z0-9_]{30,}", "LangSmith key"),
    _key("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,}", "Pinecone key"),
    _key("jina-key", "jina_", r"[A-Za-z0-9_]{40,}", "Jina key"),
    _key("tavily-key", "tvly-", r"[A-Za-z0-9-]{20,}", "Tavily key"),
    _key("firecrawl-key", "fc-", r"[0-9a-f]{32}" + _N, "Firecrawl key"),
    _key("voyage-key", "pa-", r"[A-Za-z0-9_-]{43}" + _N, "Voyage key")._replace(check=tangled),
    _key("anyscale-key", "esecret_", r"[A-Za-z0-9]{26,}", "Anyscale key"),
    _key("wandb-key", "wandb_v1_", r"[A-Za-z0-9_]{40,}", "Weights & Biases key"),
    _key("runpod-key", "rpa_", r"[A-Z0-9]{40,}[a-z0-9]*", "RunPod key"),
    _key("modal-token", "ak- as-", r"[A-Za-z0-9]{22}" + _N, "Modal token")._replace(check=tangled),
    _key("e2b-key", "e2b_", r"[0-9a-f]{40}", "E2B key"),
    _key("browserbase-key", "bb_live_ bb_test_", r"[A-Za-z0-9_-]{20,}", "Browserbase key"),
    _key("apify-token", "apify_api_", r"[A-Za-z0-9]{30,}", "Apify token"),
    _key("elevenlabs-key", "sk_", r"[0-9a-f]{48}" + _N, "ElevenLabs key"),
    _key("composio-key", "comp_ ak_live_ mem0- m0-", r"[A-Za-z0-9_]{36,}", "agent platform key"),
)

TALK = (
    Rule("slack-token", ("xox", "xapp-", "xwfp-"), r"(?:xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[A-Za-z0-9-]{10,}", "Slack token", varied, 0, False),
    _key("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", "SendGrid key"),
    _key("mailgun-key", "key-", r"[0-9a-f]{32}" + _N, "Mailgun key"),
    _key("mailgun-key", "pubkey-", r"[0-9a-f]{32}" + _N, "Mailgun key"),
    _key("mandrill-key", "md-", r"[A-Za-z0-9_-]{22}" + _N, "Mandrill key")._replace(check=tangled),
    Rule("mailchimp-key", ("-us",), r"[A-Za-z0-9]{32}-us\d{1,2}" + _N, "Mailchimp key", tangled, 32),
    _key("brevo-key", "xkeysib- xsmtpsib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}", "Brevo key"),
    _key("resend-key", "re_", r"[A-Za-z0-9]{6,10}_[A-Za-z0-9]{16,}", "Resend key")._replace(check=tangled),
    Rule("twilio-key", ("SK", "AC"), r"(?:SK|AC)[0-9a-fA-F]{32}" + _N, "Twilio key or account", varied),
    Rule("discord-token", ("mfa.",), r"mfa\.[A-Za-z0-9_-]{80,}", "Discord token", varied),
    Rule("telegram-token", (":AA",), r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}" + _N, "Telegram bot token", varied, 10),
    _key("line-token", "LINE_", r"[A-Za-z0-9+/=]{100,}", "LINE token"),
    _key("zulip-key", "zulip_", r"[A-Za-z0-9]{32}", "Zulip key"),
    _key("intercom-token", "dG9rO", r"[A-Za-z0-9+/=_-]{40,}", "Intercom token"),
    _key("instagram-token", "IGQV IGQW IGAA", r"[A-Za-z0-9_-]{60,}", "Instagram token"),
    _key("facebook-token", "EAACEdEose0cBA EAA", r"[A-Za-z0-9]{50,}", "Facebook token")._replace(check=tangled),
    _key("x-bearer-token", "AAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%_-]{40,}", "X app bearer token")._replace(check=tangled),
    _key("pinterest-token", "pina_", r"[A-Za-z0-9]{30,}", "Pinterest token"),
    _key("akamai-key", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}", "Akamai client token"),
    _key("twitch-token", "oauth:", r"[a-z0-9]{30}" + _N, "Twitch token"),
)

MONEY = (
    _key("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ sk_prod_ rk_prod_ sk_sbox_ sk_org_", r"[A-Za-z0-9_]{10,}", "Stripe or like key"),
    _key("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_ shprt_ shpit_", r"[A-Za-z0-9]{32,}", "Shopify token"),
    _key("square-token", "sq0atp- sq0csp- sq0idp- sandbox-sq0", r"[A-Za-z0-9_-]{22,}", "Square token"),
    _key("square-token", "EAAA", r"[A-Za-z0-9_-]{60}" + _N, "Square token"),
    _key("paypal-token", "A21AA", r"[A-Za-z0-9_-]{60,}", "PayPal access token"),
    _key("razorpay-key", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}", "Razorpay key"),
    _key("flutterwave-key", "FLWSECK- FLWPUBK- FLWSECK_TEST- FLWPUBK_TEST-", r"[A-Za-z0-9-]{12,}", "Flutterwave key"),
    _key("plaid-token", "access-sandbox- access-development- access-production-", _UUID, "Plaid token"),
    _key("mercadopago-token", "APP_USR- TEST-", r"\d{6,}-[0-9]{6}-[0-9a-f]{32}-\d{4,}", "Mercado Pago token"),
    _key("easypost-key", "EZAK EZTK", r"[A-Za-z0-9]{54}", "EasyPost key"),
    _key("duffel-token", "duffel_test_ duffel_live_", r"[A-Za-z0-9_=-]{30,}", "Duffel token"),
    _key("shippo-token", "shippo_live_ shippo_test_", r"[a-f0-9]{40}", "Shippo token"),
    _key("gocardless-token", "live_ sandbox_", r"[A-Za-z0-9_=-]{38,42}" + _N, "GoCardless token")._replace(check=tangled),
    _key("coinbase-key", "organizations/", _UUID + "/apiKeys/" + _UUID, "Coinbase key"),
    _key("adyen-key", "AQE", r"[a-z0-9]{2,6}hm[A-Za-z0-9+/=-]{60,}", "Adyen key"),
)

WATCHING = (
    _key("newrelic-key", "NRAK- NRJS- NRAA- NRRA- NRII- NRIQ- NRSP- NRBR- NRAL-", r"[A-Za-z0-9_-]{16,}", "New Relic key"),
    Rule("newrelic-key", ("NRAL",), r"[0-9a-f]{36}NRAL|(?:eu|us)\d\dx{1,2}[0-9a-f]{30,32}NRAL", "New Relic license key", None, 36),
    Rule("newrelic-key", ("eu01xx",), r"eu01xx[0-9a-zA-Z]{30,}", "New Relic license key", varied),
    _key("datadog-key", "ddapi_ ddapp_ ddpat_ ddsat_ dd_ ddog_", r"[A-Za-z0-9_-]{30,}", "Datadog key"),
    _key("honeycomb-key", "hcaik_ hcbik_ hcaic_ hcamk_ hcxik_ hcxmk_", r"[a-z0-9]{40,}", "Honeycomb key"),
    _key("posthog-key", "phc_ phs_ phx_ phr_ pha_", r"[A-Za-z0-9]{36,}", "PostHog key"),
    _key("launchdarkly-key", "sdk- mob- api-", _UUID, "LaunchDarkly key"),
    _key("statsig-key", "secret- client- console-", r"[A-Za-z0-9]{40,}" + _N, "Statsig key")._replace(check=tangled),
    _key("checkly-key", "cu_", r"[0-9a-f]{32}" + _N, "Checkly key"),
    _key("scalyr-key", "0log_ lgk_ logz_", r"[A-Za-z0-9_-]{30,}", "logging key"),
    _key("axiom-token", "xaat- xapt-", _UUID, "Axiom token"),
    _key("splunk-token", "splunk_ splk_", r"[A-Za-z0-9^_-]{30,}", "Splunk token"),
    _key("cronitor-key", "uptimerobot_ ur_ m7", r"[0-9]{8,}-[0-9a-f]{24,}", "monitoring key"),
)

OFFICE = (
    _key("aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS ABSK", r"[A-Za-z0-9+/]{60,}={0,2}", "Amazon Bedrock key"),
    _key("bitbucket-token", "ATBB ATCTT3xFfG ATBBT BBDC-", r"[A-Za-z0-9+/@_=-]{30,}", "Bitbucket token")._replace(check=tangled),
    _key("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_ sntryr_", r"[A-Za-z0-9_+/=-]{30,}", "Sentry token"),
    _key("grafana-token", "glc_ glsa_ gcom_", r"[A-Za-z0-9_+/=]{30,}", "Grafana token"),
    Rule("base64-key", ("==",), r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{86}==(?!=)", "64 random bytes in base64", tangled, 86, False),
    _key("docker-swarm-token", "SWMTKN-1- SWMKEY-1-", r"[A-Za-z0-9+/-]{30,}", "Docker Swarm token"),
    _key("notion-token", "secret_ ntn_", r"[A-Za-z0-9]{40,}", "Notion token"),
    _key("linear-key", "lin_api_ lin_oauth_ lin_wh_", r"[A-Za-z0-9]{30,}", "Linear key"),
    _key("figma-token", "figd_ figu_ figo_ figoh_ figp_ figs_", r"[A-Za-z0-9_-]{30,}", "Figma token"),
    Rule("asana-token", ("/1",), r"[0-2]/\d{16}(?:/\d{16})?:[0-9a-f]{32}", "Asana token", None, 1),
    Rule("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "Airtable token", varied),
    _key("clickup-token", "pk_", r"\d{6,9}_[A-Z0-9]{32}", "ClickUp token"),
    _key("klaviyo-key", "pk_", r"[a-f0-9]{34}" + _N, "Klaviyo key"),
    _key("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", _UUID, "HubSpot token"),
    Rule("salesforce-token", ("00D",), r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,}", "Salesforce session", varied),
    Rule("salesforce-token", ("5Aep861",), r"5Aep861[A-Za-z0-9._]{40,}", "Salesforce refresh token", varied),
    _key("contentful-token", "CFPAT- CFORG-", r"[A-Za-z0-9_-]{40,}", "Contentful token"),
    _key("readme-key", "rdme_", r"[a-z0-9]{60,}", "ReadMe key"),
    _key("typeform-token", "tfp_", r"[A-Za-z0-9_.-]{40,}", "Typeform token"),
    Rule("dropbox-token", ("sl.",), r"sl\.(?:u\.|B)?[A-Za-z0-9_-]{60,}", "Dropbox token", tangled),
    Rule("dropbox-token", ("AAAAAAAAAA",), r"[A-Za-z0-9_-]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}" + _N, "Dropbox long-lived token", varied, 11),
    _key("frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{40,}", "Frame.io token"),
    _key("adobe-secret", "p8e- p8-", r"[A-Za-z0-9_-]{30,}", "Adobe secret")._replace(check=tangled),
    Rule("mapbox-token", ("pk.eyJ", "sk.eyJ", "tk.eyJ"), r"[pst]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{10,}", "Mapbox token", varied),
    Rule("maxmind-key", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "MaxMind key", varied, 36),
    _key("zoho-token", "1000.", _HEX32 + r"\." + _HEX32, "Zoho token"),
    Rule("okta-token", ("00",), r"00[A-Za-z0-9_-]{40}" + r"(?![\w-])", "Okta token", lambda m: switches(m[0]) >= 14),
    _key("finicity-key", "fincity_ beamer_ b_", r"[A-Za-z0-9=_/-]{44}" + _N, "Beamer key")._replace(check=tangled),
    _key("42-secret", "s-s4t2af- s-s4t2ud-", r"[a-f0-9]{64}", "42 client secret"),
    _key("flagsmith-key", "ser.", r"[A-Za-z0-9]{22}" + _N, "Flagsmith key"),
    _key("duo-secret", "DI", r"[A-Z0-9]{18}" + _N, "Duo integration key")._replace(check=lambda m: switches(m[0]) >= 8),
    _key("rootly-key", "rootly_", r"[a-f0-9]{64}", "Rootly key"),
    _key("clerk-key", "ak_ mch_ oat_", r"[A-Za-z0-9]{40,}", "Clerk key"),
    _key("stytch-secret", "secret-live- secret-test-", r"[A-Za-z0-9_=-]{30,}", "Stytch secret"),
    _key("inngest-key", "signkey-", r"[a-z]+-[0-9a-f]{30,}", "Inngest key"),
    _key("trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", r"[A-Za-z0-9]{20,}", "Trigger.dev key"),
    _key("valtown-token", "vtwn_ vtlr_", r"[A-Za-z0-9]{20,}", "Val Town token"),
)  # fmt: skip

PROVIDERS = CLOUDS + CODE + MODELS + TALK + MONEY + WATCHING + OFFICE

ANYWHERE = (
    _key("docker-swarm-token", "SWMKEY-1-", r"[A-Za-z0-9+/-]{30,}", "Docker Swarm token"),
    _key("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{20,}", "Stripe webhook secret"),
    Rule("paypal-token", ("access_token$",), r"access_token\$(?:production|sandbox|live)\$[a-z0-9]{16}\$[a-f0-9]{32}", "PayPal or Braintree token", varied),
    _key("huggingface-token", "hf_", r"[A-Za-z0-9]{30,}", "Hugging Face token"),
    Rule("slack-token", ("xox",), r"xox[a-z]-[A-Za-z0-9-]{10,}", "Slack token", varied, 0, False),
    Rule("artifactory-token", ("AKC", "AP"), r"(?:AKC|AP[0-9A-F])[A-Za-z0-9]{8,}", "Artifactory token",
         lambda m: "xxxxxxxx" in m[0] or (len(m[0]) >= 40 and switches(m[0]) >= 12)),
    Rule("aws-key-id", ("AKIA", "ASIA"), r"A[KS]IA[A-Z0-9]{16}" + _N, "AWS access key id", varied),
    Rule("google-oauth-id", (".apps.googleusercontent",), r"(?:\d{6,20}-)?[a-z0-9]{32}\.apps\.googleusercontent\.com", "Google OAuth client", None, 53),
)  # fmt: skip

_DISCORD = Rule(
    "discord-token", (), r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}", "Discord bot token", tangled
)
_LICENSE = Rule("license-key", (), r"(?:[A-Z0-9]{5}-){3,5}[A-Z0-9]{5}(?![A-Za-z0-9_-])", "license key", varied)

SHAPES = {
    50: Rule("mailgun-key", (), r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9_-])", "Mailgun key", varied),
    **dict.fromkeys((23, 29, 35), _LICENSE),
    **dict.fromkeys(range(24, 29), _DISCORD),
    29: _LICENSE,
}
"""A run of this length may be a key by its shape alone: nothing in front of it tells whose."""
