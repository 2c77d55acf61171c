"""Secrets that nobody issued. They are put together here, so that no scanner of repositories takes them for real."""

from __future__ import annotations

import random
import string

BASE62 = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
BASE64 = BASE62 + "+/"
URLSAFE = BASE62 + "-_"


def lot(alphabet: str, size: int, seed: int = 1) -> str:
    """Characters drawn by lot, the same for the same seed; the first is a letter, the third a digit."""
    draw = random.Random(seed)
    drawn = [draw.choice(alphabet) for _ in range(size)]
    drawn[0] = next(c for c in alphabet if c.isalpha())
    drawn[2] = next(c for c in alphabet[::-1] if c.isdigit())
    return "".join(drawn)


def uuid(seed: int = 1) -> str:
    return "-".join(lot(HEX, size, seed + size) for size in (8, 4, 4, 4, 12))


PASSWORD = "tr0ub" + "4dor" + "Xy7"
JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + lot(URLSAFE, 43)
PEM_BODY = "\n".join(lot(BASE64, 64, seed) for seed in range(6)) + "\n" + lot(BASE64, 22, 9) + "=="
PEM = "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIE" + PEM_BODY + "\n-----END " + "RSA PRIVATE KEY-----"

PROVIDED = (
    ("aws-key-id", "AKIA" + lot(UPPER, 16)),
    ("aws-key-id", "ASIA" + lot(UPPER, 16)),
    ("aws-mws-key", "amzn.mws." + uuid()),
    ("aws-appsync-key", "da2-" + lot(LOWER, 26)),
    ("aws-bedrock-key", "ABSK" + lot(BASE62, 120)),
    ("google-api-key", "AIza" + lot(URLSAFE, 35)),
    ("google-oauth-secret", "GOCSPX-" + lot(URLSAFE, 28)),
    ("google-access-token", "ya29." + lot(URLSAFE, 60)),
    ("google-oauth-id", lot(LOWER, 32) + ".apps.googleusercontent.com"),
    ("azure-client-secret", "aB1" + "8Q~" + lot(BASE62, 34)),
    ("azure-devops-token", lot(BASE62, 76) + "AZDO" + lot(BASE62, 4)),
    ("digitalocean-token", "dop_v1_" + lot(HEX, 64)),
    ("heroku-key", "HRKU-" + uuid()),
    ("fly-token", "fm2_" + lot(BASE62, 60)),
    ("netlify-token", "nfp_" + lot(BASE62, 36)),
    ("vercel-token", "vcp_" + lot(BASE62, 56)),
    ("cloudflare-token", "cfut_" + lot(BASE62, 48)),
    ("tailscale-key", "tskey-auth-" + lot(BASE62, 16) + "-" + lot(BASE62, 32)),
    ("supabase-key", "sbp_" + lot(HEX, 40)),
    ("planetscale-token", "pscale_tkn_" + lot(URLSAFE, 43)),
    ("databricks-token", "dapi" + lot(HEX, 32)),
    ("github-token", "ghp_" + lot(BASE62, 36)),
    ("github-token", "gho_" + lot(BASE62, 36)),
    ("github-token", "ghs_" + lot(BASE62, 36)),
    ("github-token", "github_pat_" + lot(BASE62, 22) + "_" + lot(BASE62, 59)),
    ("gitlab-token", "glpat-" + lot(URLSAFE, 20)),
    ("gitlab-token", "glrt-" + lot(URLSAFE, 20)),
    ("bitbucket-token", "ATBB" + lot(BASE62, 32)),
    ("atlassian-token", "ATATT3xFfGF0" + lot(URLSAFE, 180)),
    ("npm-token", "npm_" + lot(BASE62, 36)),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + lot(URLSAFE, 120)),
    ("rubygems-key", "rubygems_" + lot(HEX, 48)),
    ("docker-token", "dckr_pat_" + lot(URLSAFE, 27)),
    ("sourcegraph-token", "sgp_" + lot(HEX, 40)),
    ("sonar-token", "squ_" + lot(HEX, 40)),
    ("circleci-token", "CCIPAT_" + lot(BASE62, 22) + "_" + lot(HEX, 40)),
    ("terraform-token", lot(BASE62, 14) + ".atlasv1." + lot(BASE62, 67)),
    ("vault-token", "hvs." + lot(BASE62, 90)),
    ("doppler-token", "dp.pt." + lot(BASE62, 43)),
    ("1password-token", "ops_eyJ" + lot(BASE62, 200)),
    ("age-key", "AGE-SECRET-KEY-1" + lot(UPPER, 58)),
    ("pulumi-token", "pul-" + lot(HEX, 40)),
    ("anthropic-key", "sk-ant-api03-" + lot(URLSAFE, 93) + "AA"),
    ("openai-key", "sk-proj-" + lot(URLSAFE, 100)),
    ("openai-key", "sk-" + lot(BASE62, 48)),
    ("huggingface-token", "hf_" + lot(BASE62, 34)),
    ("huggingface-token", "hf_" + "".join(random.Random(4).choices(string.ascii_letters, k=34))),
    ("xai-key", "xai-" + lot(BASE62, 80)),
    ("groq-key", "gsk_" + lot(BASE62, 52)),
    ("replicate-token", "r8_" + lot(BASE62, 37)),
    ("nvidia-key", "nvapi-" + lot(URLSAFE, 64)),
    ("slack-token", "xoxb-" + "1" * 12 + "-" + "2" * 12 + "-" + lot(BASE62, 24)),
    ("slack-token", "xapp-1-A" + lot(UPPER, 10) + "-" + "3" * 13 + "-" + lot(HEX, 64)),
    ("sendgrid-key", "SG." + lot(BASE62, 22) + "." + lot(BASE62, 43)),
    ("mailgun-key", "key-" + lot(HEX, 32)),
    ("mailgun-key", lot(HEX, 32) + "-" + lot(HEX, 8) + "-" + lot(HEX, 8, 2)),
    ("mailchimp-key", lot(HEX, 32) + "-us12"),
    ("twilio-key", "SK" + lot(HEX, 32)),
    ("discord-token", "MT" + lot(BASE62, 24) + "." + lot(BASE62, 6) + "." + lot(BASE62, 38)),
    ("telegram-token", "12345678" + ":AA" + lot(BASE62, 33)),
    ("instagram-token", "IGQV" + lot(BASE62, 150)),
    ("stripe-key", "sk_live_" + lot(BASE62, 24)),
    ("stripe-key", "rk_test_" + lot(BASE62, 24)),
    ("stripe-webhook-secret", "whsec_" + lot(BASE62, 32)),
    ("shopify-token", "shpat_" + lot(HEX, 32)),
    ("square-token", "sq0atp-" + lot(BASE62, 22)),
    ("paypal-token", "access_token$" + "production$" + lot(LOWER, 16) + "$" + lot(HEX, 32)),
    ("newrelic-key", "NRAK-" + lot(UPPER, 27)),
    ("newrelic-key", lot(HEX, 36) + "NRAL"),
    ("sentry-token", "sntrys_eyJ" + lot(BASE62, 80) + "_" + lot(BASE62, 43)),
    ("grafana-token", "glsa_" + lot(BASE62, 32) + "_" + lot(HEX, 8)),
    ("posthog-key", "phx_" + lot(BASE62, 44)),
    ("notion-token", "ntn_" + lot(BASE62, 46)),
    ("linear-key", "lin_api_" + lot(BASE62, 40)),
    ("figma-token", "figd_" + lot(URLSAFE, 40)),
    ("airtable-token", "pat" + lot(BASE62, 14) + "." + lot(HEX, 64)),
    ("hubspot-token", "pat-na1-" + uuid()),
    ("dropbox-token", "sl.u." + lot(URLSAFE, 130)),
    ("postman-key", "PMAK-" + lot(HEX, 24) + "-" + lot(HEX, 34)),
    ("jwt", JWT),
    ("jwt", JWT[:40]),
    ("private-key", PEM),
)
