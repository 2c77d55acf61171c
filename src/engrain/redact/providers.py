"""Keys whose shape their issuers publish: a row for each.

Only runs of sixteen and more letters, digits, `_` and `-` with a digit among them are looked at for these hints, and a
little text before each; ordinary output has few of them, so a hundred more rows cost next to nothing. Hints of ANYWHERE
are looked for in the whole text, because their tokens may be short or without a digit. Order matters where two rows may
match at one place: the first one names the mark.
"""

from __future__ import annotations

from engrain.redact.issuer import END, key, tangled, varied
from engrain.redact.likely import switches
from engrain.redact.platforms import CLOUDS, CODE, MODELS
from engrain.redact.rule import Rule
from engrain.redact.services import MONEY, OFFICE, TALK, WATCHING

PROVIDERS = CLOUDS + CODE + MODELS + TALK + MONEY + WATCHING + OFFICE

ANYWHERE = (
    key("docker-swarm-token", "SWMKEY-1-", r"[A-Za-z0-9+/-]{30,}", "Docker Swarm token"),
    key("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{20,}", "Stripe webhook secret"),
    Rule(
        "paypal-token",
        ("access_token$",),
        r"access_token\$(?:production|sandbox|live)\$[a-z0-9]{16}\$[a-f0-9]{32}",
        "PayPal or Braintree token",
        varied,
    ),
    key("huggingface-token", "hf_", r"[A-Za-z0-9]{30,}", "Hugging Face token"),
    Rule("slack-token", ("xox",), r"xox[a-z]-[A-Za-z0-9-]{10,}", "Slack token", varied, 0, False),
    Rule(
        "artifactory-token",
        ("AKC", "AP"),
        r"(?:AKC|AP[0-9A-F])[A-Za-z0-9]{8,}",
        "Artifactory token",
        lambda m: "xxxxxxxx" in m[0] or (len(m[0]) >= 40 and switches(m[0]) >= 12),
    ),
    Rule("aws-key-id", ("AKIA", "ASIA"), r"A[KS]IA[A-Z0-9]{16}" + END, "AWS access key id", varied),
    Rule(
        "google-oauth-id",
        (".apps.googleusercontent",),
        r"[a-z0-9]{32}\.apps\.googleusercontent\.com",
        "Google OAuth client",
        None,
        32,
    ),
)

_DISCORD = Rule(
    "discord-token",
    (),
    r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}",
    "Discord bot token",
    tangled,
)
_LICENSE = Rule("license-key", (), r"(?:[A-Z0-9]{5}-){3,5}[A-Z0-9]{5}(?![A-Za-z0-9_-])", "license key", varied)

_SEED = Rule("otp-seed", (), r"[A-Z2-7]+(?![A-Za-z0-9_=/+-])", "one-time-password seed", lambda m: switches(m[0]) >= 4)

_OKTA = Rule("okta-token", (), r"00[A-Za-z0-9_-]{40}", "Okta token", lambda match: switches(match[0]) >= 14)

SHAPES = {
    42: _OKTA,
    **dict.fromkeys((16, 32, 52), _SEED),
    50: Rule("mailgun-key", (), r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9_-])", "Mailgun key", varied),
    **dict.fromkeys((23, 29, 35), _LICENSE),
    **dict.fromkeys(range(24, 29), _DISCORD),
    29: _LICENSE,
}
"""A run of this length may be a key by its shape alone: nothing in front of it tells whose."""
