"""Keys of services: messages and mail, money, monitoring, the office."""

from __future__ import annotations

from engrain.redact.issuer import END, HEX32, UUID, key, tangled, varied
from engrain.redact.rule import Rule

TALK = (
    Rule(
        "slack-token",
        ("xox", "xapp-", "xwfp-"),
        r"(?:xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[A-Za-z0-9-]{10,}",
        "Slack token",
        varied,
        0,
        False,
    ),
    key("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}", "SendGrid key"),
    key("mailgun-key", "key-", r"[0-9a-f]{32}" + END, "Mailgun key"),
    key("mailgun-key", "pubkey-", r"[0-9a-f]{32}" + END, "Mailgun key"),
    key("mandrill-key", "md-", r"[A-Za-z0-9_-]{22}" + END, "Mandrill key")._replace(check=tangled),
    Rule("mailchimp-key", ("-us",), r"[A-Za-z0-9]{32}-us\d{1,2}" + END, "Mailchimp key", tangled, 32),
    key("brevo-key", "xkeysib- xsmtpsib-", r"[a-f0-9]{64}-[A-Za-z0-9]{16}", "Brevo key"),
    key("resend-key", "re_", r"[A-Za-z0-9]{6,10}_[A-Za-z0-9]{16,}", "Resend key")._replace(check=tangled),
    Rule("twilio-key", ("SK", "AC"), r"(?:SK|AC)[0-9a-fA-F]{32}" + END, "Twilio key or account", varied),
    Rule("discord-token", ("mfa.",), r"mfa\.[A-Za-z0-9_-]{80,}", "Discord token", varied),
    Rule("telegram-token", (":AA",), r"[0-9]{8}:AA[A-Za-z0-9_-]{32,34}" + END, "Telegram bot token", varied, 8, False),
    key("intercom-token", "dG9rO", r"[A-Za-z0-9+/=_-]{40,}", "Intercom token"),
    key("instagram-token", "IGQV IGQW IGAA", r"[A-Za-z0-9_-]{60,}", "Instagram token"),
    Rule(
        "facebook-token",
        ("|",),
        r"(?<=[0-9]{15})\|([A-Za-z0-9_-]{24,40})" + END,
        "Facebook app token",
        tangled,
        0,
        False,
    ),
    key("facebook-token", "EAACEdEose0cBA EAA", r"[A-Za-z0-9]{50,}", "Facebook token")._replace(check=tangled),
    key("x-bearer-token", "AAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%_-]{40,}", "X app bearer token")._replace(check=tangled),
    key("pinterest-token", "pina_", r"[A-Za-z0-9]{30,}", "Pinterest token"),
    key("akamai-key", "akab-", r"[a-z0-9]{16}-[a-z0-9]{16}", "Akamai client token"),
    key("twitch-token", "oauth:", r"[a-z0-9]{30}" + END, "Twitch token"),
)

MONEY = (
    key(
        "stripe-key",
        "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ sk_prod_ rk_prod_ sk_sbox_ sk_org_",
        r"[A-Za-z0-9_]{10,}",
        "Stripe or like key",
    ),
    key(
        "shopify-token",
        "shpat_ shpca_ shppa_ shpss_ shpua_ shptka_ shprt_ shpit_",
        r"[A-Za-z0-9]{32,}",
        "Shopify token",
    ),
    key("square-token", "sq0atp- sq0csp- sq0idp- sandbox-sq0", r"[A-Za-z0-9_-]{22,}", "Square token"),
    key("square-token", "EAAA", r"[A-Za-z0-9_-]{60}" + END, "Square token"),
    key("paypal-token", "A21AA", r"[A-Za-z0-9_-]{60,}", "PayPal access token"),
    key("razorpay-key", "rzp_live_ rzp_test_", r"[A-Za-z0-9]{14,}", "Razorpay key"),
    key("flutterwave-key", "FLWSECK- FLWPUBK- FLWSECK_TEST- FLWPUBK_TEST-", r"[A-Za-z0-9-]{12,}", "Flutterwave key"),
    key("plaid-token", "access-sandbox- access-development- access-production-", UUID, "Plaid token"),
    key("mercadopago-token", "APP_USR- TEST-", r"\d{6,}-[0-9]{6}-[0-9a-f]{32}-\d{4,}", "Mercado Pago token"),
    key("easypost-key", "EZAK EZTK", r"[A-Za-z0-9]{54}", "EasyPost key"),
    key("duffel-token", "duffel_test_ duffel_live_", r"[A-Za-z0-9_=-]{30,}", "Duffel token"),
    key("shippo-token", "shippo_live_ shippo_test_", r"[a-f0-9]{40}", "Shippo token"),
    key("gocardless-token", "live_ sandbox_", r"[A-Za-z0-9_=-]{38,42}" + END, "GoCardless token")._replace(
        check=tangled
    ),
    key("coinbase-key", "organizations/", UUID + "/apiKeys/" + UUID, "Coinbase key"),
    key("adyen-key", "AQE", r"[a-z0-9]{2,6}hm[A-Za-z0-9+/=-]{60,}", "Adyen key"),
)

WATCHING = (
    key(
        "newrelic-key", "NRAK- NRJS- NRAA- NRRA- NRII- NRIQ- NRSP- NRBR- NRAL-", r"[A-Za-z0-9_-]{16,}", "New Relic key"
    ),
    Rule(
        "newrelic-key",
        ("NRAL",),
        r"(?:[0-9a-f]{36}|(?:eu|us)\d\dx{2}[0-9a-f]{30})NRAL",
        "New Relic license key",
        None,
        36,
    ),
    key("newrelic-key", "eu01x us01x gov01x", r"[0-9a-zA-Z]{24,}", "New Relic license key"),
    key("datadog-key", "ddpat_ ddapp_", r"[A-Za-z0-9_-]{30,}", "Datadog key"),
    key("honeycomb-key", "hcaik_ hcbik_ hcaic_ hcamk_ hcxik_ hcxmk_", r"[a-z0-9]{40,}", "Honeycomb key"),
    key("posthog-key", "phc_ phs_ phx_ phr_ pha_", r"[A-Za-z0-9]{36,}", "PostHog key"),
    key("launchdarkly-key", "sdk- mob- api-", UUID, "LaunchDarkly key"),
    key("statsig-key", "secret- client- console-", r"[A-Za-z0-9]{40,}" + END, "Statsig key")._replace(check=tangled),
    key("checkly-key", "cu_", r"[0-9a-f]{32}" + END, "Checkly key"),
    key("axiom-token", "xaat- xapt-", UUID, "Axiom token"),
)

OFFICE = (
    key("aws-bedrock-key", "ABSKQmVkcm9ja0FQSUtleS ABSK", r"[A-Za-z0-9+/]{60,}={0,2}", "Amazon Bedrock key"),
    key("bitbucket-token", "ATBB ATCTT3xFfG ATBBT BBDC-", r"[A-Za-z0-9+/@_=-]{30,}", "Bitbucket token")._replace(
        check=tangled
    ),
    key("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_ sntryr_", r"[A-Za-z0-9_+/=-]{30,}", "Sentry token"),
    key("grafana-token", "glc_ glsa_ gcom_", r"[A-Za-z0-9_+/=]{30,}", "Grafana token"),
    Rule(
        "base64-key",
        ("==",),
        r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{86}==(?!=)",
        "64 random bytes in base64",
        tangled,
        86,
        False,
    ),
    key("docker-swarm-token", "SWMTKN-1- SWMKEY-1-", r"[A-Za-z0-9+/-]{30,}", "Docker Swarm token"),
    key("notion-token", "secret_ ntn_", r"[A-Za-z0-9]{40,}", "Notion token"),
    key("linear-key", "lin_api_ lin_oauth_ lin_wh_", r"[A-Za-z0-9]{30,}", "Linear key"),
    key("figma-token", "figd_ figu_ figo_ figoh_ figp_ figs_", r"[A-Za-z0-9_-]{30,}", "Figma token"),
    Rule("asana-token", ("/1",), r"[0-2]/\d{16}(?:/\d{16})?:[0-9a-f]{32}", "Asana token", None, 1),
    Rule("airtable-token", ("pat",), r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}", "Airtable token", varied),
    key("clickup-token", "pk_", r"\d{6,9}_[A-Z0-9]{32}", "ClickUp token"),
    key("klaviyo-key", "pk_", r"[a-f0-9]{34}" + END, "Klaviyo key"),
    key("hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", UUID, "HubSpot token"),
    Rule("salesforce-token", ("00D",), r"00D[A-Za-z0-9]{12,15}![A-Za-z0-9_.]{60,}", "Salesforce session", varied),
    Rule("salesforce-token", ("5Aep861",), r"5Aep861[A-Za-z0-9._]{40,}", "Salesforce refresh token", varied),
    key("contentful-token", "CFPAT- CFORG-", r"[A-Za-z0-9_-]{40,}", "Contentful token"),
    key("readme-key", "rdme_", r"[a-z0-9]{60,}", "ReadMe key"),
    key("typeform-token", "tfp_", r"[A-Za-z0-9_.-]{40,}", "Typeform token"),
    Rule("dropbox-token", ("sl.",), r"sl\.(?:u\.|B)?[A-Za-z0-9_-]{60,}", "Dropbox token", tangled),
    Rule(
        "dropbox-token",
        ("AAAAAAAAAA",),
        r"[A-Za-z0-9_-]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}" + END,
        "Dropbox long-lived token",
        varied,
        11,
    ),
    key("frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{40,}", "Frame.io token"),
    key("adobe-secret", "p8e- p8-", r"[A-Za-z0-9_-]{30,}", "Adobe secret")._replace(check=tangled),
    Rule(
        "mapbox-token",
        ("pk.eyJ", "sk.eyJ", "tk.eyJ"),
        r"[pst]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{10,}",
        "Mapbox token",
        varied,
    ),
    Rule("maxmind-key", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "MaxMind key", varied, 36),
    key("zoho-token", "1000.", HEX32 + r"\." + HEX32, "Zoho token"),
    key("beamer-key", "b_", r"[A-Za-z0-9=_/-]{44}" + END, "Beamer key")._replace(check=tangled),
    key("42-secret", "s-s4t2af- s-s4t2ud-", r"[a-f0-9]{64}", "42 client secret"),
    key("flagsmith-key", "ser.", r"[A-Za-z0-9]{22}" + END, "Flagsmith key"),
    key("clerk-key", "ak_ mch_ oat_", r"[A-Za-z0-9]{40,}", "Clerk key"),
    key("stytch-secret", "secret-live- secret-test-", r"[A-Za-z0-9_=-]{30,}", "Stytch secret"),
    key("inngest-key", "signkey-", r"[a-z]+-[0-9a-f]{30,}", "Inngest key"),
    key("trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_pat_", r"[A-Za-z0-9]{20,}", "Trigger.dev key"),
    key("valtown-token", "vtwn_ vtlr_", r"[A-Za-z0-9]{20,}", "Val Town token"),
)
