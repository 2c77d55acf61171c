"""Secrets that are known by what stands around them: tokens with a structure, headers, addresses, webhooks, hashes.

Hints are looked for in the lower-cased text, so they are lower case. The group of a pattern is the secret.
"""

from __future__ import annotations

from engrain.redact.likely import code, nothing, random, switches
from engrain.redact.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def _base64_of(match: Match[str]) -> bytes:
    import binascii

    text = match[0].replace("-", "+").replace("_", "/")[:4096]
    try:
        return binascii.a2b_base64(text[: len(text) // 4 * 4])
    except ValueError:
        return b""


def _token_claims(match: Match[str]) -> bool:
    """Base64 of a JSON object that speaks of keys or of a signature; source maps and plain state do not."""
    head = _base64_of(match)
    return any(
        word in head
        for word in (
            b'"alg"',
            b'"typ"',
            b'"kid"',
            b'"enc"',
            b'"kty"',
            b'"k":',
            b'"iss"',
            b'"sub"',
            b'"token',
            b'"secret',
            b'"pass',
            b'"exp"',
            b'"jti"',
            b'"aud"',
        )
    )


def _given(match: Match[str]) -> bool:
    return not nothing(match[1])


def _credential(match: Match[str]) -> bool:
    """What follows `Bearer` or `Basic`: not a word of a sentence, not a variable."""
    value = match[1]
    return not nothing(value) and (
        any(c.isdigit() for c in value) or switches(value) >= 2 or value.endswith("=") or len(value) > 40
    )


def _user_part(match: Match[str]) -> bool:
    """A user name that is a token (`https://ghs…@host`)."""
    return not nothing(match[1]) and random(match[1], 16)


def _seed(match: Match[str]) -> bool:
    """Base32 as it is drawn: letters and the digits 2 to 7 in turn, never a word."""
    return len(set(match[1])) > 6 and sum(c.isdigit() for c in match[1]) >= 2 and switches(match[1]) >= 3


def _cookie(match: Match[str]) -> bool:
    return not nothing(match[1]) and (len(match[1]) >= 24 or any(c.isdigit() for c in match[1]))


def _answer(match: Match[str]) -> bool:
    """The parameter of a scheme: `Digest username="…", response="…"`."""
    before = match.string[max(0, match.start() - 400) : match.start()].rpartition("\n")[2].lower()
    return random(match[1]) and any(scheme in before for scheme in ("digest ", "hawk ", "mac ", "signature "))


def _tangled(match: Match[str]) -> bool:
    return switches(match[1] if match.re.groups else match[0]) >= 4


_EDGE = r"(?![A-Za-z0-9_-])"
_B64 = r"[A-Za-z0-9+/]"
_LINES = (
    rf"(?:(?:\\[nr]|\s|[\"'+,]){{1,40}}{_B64}{{16,}}){{0,400}}(?:(?:\\[nr]|\s){{1,40}}"
    rf"{_B64}{{2,}}={{1,2}})?={{0,2}}"
)

BLOBS = (
    Rule(
        "jwt",
        ("eyJ",),
        r"eyJ[A-Za-z0-9_-]{8,4000}\.{1,2}(?:eyJ[A-Za-z0-9_-]{4,}|[A-Za-z0-9_-]{10,})(?:\."
        r"[A-Za-z0-9_-]*){0,3}",
        "JSON web token",
        None,
    ),
    Rule("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_+/-]{16,}={0,2}", "JSON web token, cut short", _token_claims),
    Rule("jwt", ("ZXlK",), r"ZXlK[A-Za-z0-9+/_-]{40,}={0,2}", "JSON web token in base64", _tangled),
    Rule("private-key", ("LS0tLS1CRUdJTi",), r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,}" + _LINES, "private key in base64"),
    Rule(
        "private-key",
        ("MII", "MIG", "MHc"),
        r"M(?:II[A-Z][A-Za-z0-9+/]{2}IBA[ADKQ]|IG[A-Z]AgEAM|HcCAQEE|I[HI][A-Z]MBwGCiqGSIb3"
        r"|IIFH[A-Z]BO)[A-Za-z0-9+/]{20,}" + _LINES,
        "private key without its header",
    ),
    Rule("private-key", ("MC4CAQAw",), r"MC4CAQAwBQYDK2V[A-Za-z0-9+/]{40,}={0,2}", "private key without its header"),
    Rule(
        "private-key",
        ("b3BlbnNzaC1rZXk",),
        r"b3BlbnNzaC1rZXk[A-Za-z0-9+/]{40,}" + _LINES,
        "OpenSSH key without its header",
    ),
    Rule("authorization", ("TlRMTVNTUA",), r"TlRMTVNTUA[A-Za-z0-9+/]{16,}={0,2}", "NTLM message", None),
    Rule("kubernetes-token", ("K10",), r"K10[0-9a-f]{64}::[A-Za-z0-9:._-]{8,}", "k3s token"),
)
"""Base64 that says what it is; looked for where the keys of providers are."""

STRUCTURE = (
    Rule(
        "authorization",
        ("auth",),
        r"(?i)authorization\\{0,3}[\"']?\s?\]?\s{0,4}(?:=>|[:=,])\s{0,4}[bfru]?\\{0,3}[\"'`]?"
        r"(?:[a-z][a-z0-9_-]{1,24}\s{1,4})?([^\s\"'`\\<>(){}\[\]«»,;$]{4,})",
        "Authorization header",
        _credential,
    ),
    Rule(
        "authorization",
        ("bearer",),
        r"(?i)bearer(?:\s{1,4}|\s?[:=]\s?|%20)[\"']?([A-Za-z0-9_.~+/%-]{8,}={0,2})",
        "bearer token",
        _credential,
    ),
    Rule(
        "authorization",
        ("basic ",),
        r"(?i)basic\s{1,2}([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9_.-])",
        "basic credentials",
        lambda m: not nothing(m[1]) and (m[1].endswith("=") or switches(m[1]) >= 4),
    ),
    Rule(
        "authorization",
        ("negotiate ", "ntlm "),
        r"(?i)(?:negotiate|ntlm)\s{1,2}([A-Za-z0-9+/]{16,}={0,2})",
        "Negotiate or NTLM message",
        _credential,
    ),
    Rule(
        "authorization",
        ("api", "ssws ", "splunk "),
        r"(?i)(?:api-?key|ssws|splunk)\s{1,2}([A-Za-z0-9+/_-]{20,}={0,2})(?![A-Za-z0-9_.-])",
        "key behind the name of its scheme",
        lambda m: random(m[1], 20),
    ),
    Rule(
        "authorization",
        ("response=", "mac=", "signature"),
        r"(?i)(?:response|mac|signature)=\\{0,3}\"([A-Za-z0-9+/=_-]{16,})",
        "answer to a challenge",
        _answer,
        0,
        False,
    ),
    Rule(
        "oauth-signature",
        ("auth",),
        r"(?i)(?<=o)auth_(?:signature|token|token_secret)\\?[\"']?\s?[=:]\s?\\?[\"']?([A"
        r"-Za-z0-9%+/=_.~-]{8,})",
        "OAuth signature",
        _given,
        0,
        False,
    ),
    Rule(
        "cookie",
        ("cookie",),
        r"(?i)(?<![A-Za-z.])(?:set-)?cookie2?\\{0,3}[\"']?\s?[:=,]\s{0,2}\\{0,3}[\"']?[A"
        r"-Za-z0-9_.$%|-]{1,60}=([^\s\"'`\\<>{}();«»,]{6,}(?:;\s?[A-Za-z0-9_.$%|-]{1,60}"
        r"=[^\s\"'`\\<>{}();«»,]{1,}){0,60})",
        "cookies",
        _cookie,
    ),
    Rule(
        "session-cookie",
        ("sess", "sid=", "aspxauth"),
        r"(?i)(?:sess(?:ion)?_?id|session|sid|aspxauth)=([A-Za-z0-9%._~+/:-]{16,}={0,2})",
        "session cookie",
        lambda m: random(m[1]),
        0,
        False,
    ),
    Rule(
        "url-password",
        ("://",),
        r"://[^\s/:@\"'<>\\«»?#\[\]]{0,100}:([^\s/@\"'`<>\\«»]{1,256})@(?=[\w\[{$%.-])",
        "password in a URL",
        _given,
        0,
        False,
    ),
    Rule(
        "url-password",
        ("://",),
        r"://([^\s/:@\"'<>\\«»?#\[\]]{16,256}):?(?:x-oauth-basic)?@(?=[\w\[])",
        "token in a URL",
        _user_part,
        0,
        False,
    ),
    Rule(
        "slack-webhook",
        ("hooks.slack",),
        r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})",
        "Slack webhook",
        None,
        0,
        False,
    ),
    Rule(
        "discord-webhook", ("/webhooks/",), r"/webhooks/(\d{15,}/[A-Za-z0-9_-]{30,})", "Discord webhook", None, 0, False
    ),
    Rule(
        "webhook",
        ("://",),
        r"://[\w.-]{0,80}(?:webhook\.office\.com/webhookb2/|logic\.azure\.com[:0-9]*/workflows/"
        r"|hooks\.zapier\.com/hooks/catch/|maker\.ifttt\.com/trigger/[\w-]{1,60}/(?:json"
        r"/)?with/key/|hook\.(?:[a-z0-9]+\.)?make\.com/|hook\.integromat\.com/|chat\.goo"
        r"gleapis\.com/v1/spaces/[\w-]{5,30}/messages\?|open\.(?:feishu\.cn|larksuite\.c"
        r"om)/open-apis/bot/v\d/hook/|oapi\.dingtalk\.com/robot/send\?access_token=|qyap"
        r"i\.weixin\.qq\.com/cgi-bin/webhook/send\?key=|hc-ping\.com/)([^\s\"'`<>\\«»]{8,})",
        "webhook of Teams, Zapier, IFTTT, Make, Google Chat …",
        None,
        0,
        False,
    ),
    Rule(
        "sentry-dsn",
        ("://",),
        r"://([0-9a-f]{32}(?::[0-9a-f]{32})?)@(?:[\w.-]{0,40}\.)?(?:ingest\.)?(?:[a-z]{2}\.)?sentry",
        "Sentry DSN",
        None,
        0,
        False,
    ),
    Rule(
        "signed-url",
        ("sig=", "signature"),
        r"(?i)(?:signature|sig)=([A-Za-z0-9%+/=_.-]{16,})",
        "signature of a URL",
        lambda m: not nothing(m[1]) and not code(m[1]),
        0,
        False,
    ),
    Rule(
        "otp-seed",
        ("otp",),
        r"(?i)otpauth(?:-migration)?://[^\s\"'<>]{1,200}?(?:secret|data)=([A-Za-z0-9%+/=_-]{8,})",
        "one-time-password seed",
    ),
    Rule(
        "otp-seed",
        ("otp", "2fa", "mfa", "factor", "auth"),
        r"(?i)(?:otp|2fa|mfa|factor|authenticator)(?!.{0,6}?(?:otp|2fa|mfa))[^\n]{0,64}?(?<![A-Za-z0-9+/_=-])((?-i"
        r":[A-Z2-7]{16,64}|[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15}|[A-Z2-7]{4}(?:[ -][A-Z2-"
        r"7]{4}){3,15}|[a-z2-7]{16,64}))(?![A-Za-z0-9+/_=-])",
        "one-time-password seed",
        _seed,
        0,
        False,
    ),
    Rule(
        "password-hash",
        ("$",),
        r"\$(?:2[aby]\$\d\d\$[./A-Za-z0-9]{50,}|argon2[a-z]{1,2}\$[^\s\"'\\,:«»]{30,}|(?:6"
        r"|5|1|y|7|apr1)\$[^\s\"'\\:,«»]{20,}|(?:scrypt|pbkdf2[\w-]*)\$[^\s\"'\\:,«»]{20,})",
        "password hash",
        None,
        0,
        False,
    ),
    Rule(
        "password-hash",
        ("pbkdf2_sha", "{s", "scram-sha"),
        r"(?i)(?:pbkdf2_sha\d+\$\d+\$[./A-Za-z0-9]{4,}\$[A-Za-z0-9+/=]{20,}|\{S?SHA\d{0,"
        r"3}\}[A-Za-z0-9+/=]{20,}|SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=:$]{40,})",
        "password hash",
        None,
        0,
        False,
    ),
    Rule("sha256-token", ("sha256~",), r"sha256~[^\s\"'`\\<>«»,;]{12,}", "OpenShift token"),
    Rule(
        "npm-auth",
        ("auth",),
        r"(?i)(?<=[^A-Za-z]_)auth(?:token)?\s?=\s?([^\s\"'$«»\\()\[\]{}]{6,})(?![(\[])",
        "npm credentials",
        _given,
        0,
        False,
    ),
    Rule(
        "mnemonic",
        ("mnemonic", "phrase"),
        r"(?i)(?:mnemonic|phrase)\\{0,3}[\"']?\s?(?:[:=]|is)\s?\\{0,3}[\"'`]?((?:[a-z]{3,8}"
        r" ){11,23}[a-z]{3,8})\b",
        "wallet seed phrase",
        None,
        0,
        False,
    ),
)
