"""Secrets that the line or the address in which they stand announces: a cookie jar, a pgpass line, a node of a chain.

Hints are lower case, the group of a pattern is the secret, as in `structure`.
"""

from __future__ import annotations

from engrain.redact.likely import called, code, mixed, nothing, random, stands_out
from engrain.redact.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match


def _in_fours(match: Match[str]) -> bool:
    """Four times four letters drawn by lot, or said to be an application's; four words have vowels."""
    before = match.string[max(0, match.start() - 4) : match.start()].lower()
    return "app" in before or any(not set("aeiouy") & set(part) for part in match[1].split())


ANNOUNCED = (
    Rule(
        "cookie",
        ("\ttrue\t", "\tfalse\t"),
        r"\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,128}\t([^\s«»]{6,4096})",
        "cookie of a jar",
        lambda m: not nothing(m[1]) and (len(m[1]) >= 24 or any(c.isdigit() for c in m[1])),
        0,
        False,
    ),
    Rule(
        "authorization",
        ("code=",),
        r"(?<=[?&])code=([A-Za-z0-9%._~/-]{16,512})",
        "code of an authorization",
        lambda m: random(m[1], 20),
        0,
        False,
    ),
    Rule(
        "api-key",
        ("appid=",),
        r"(?<=[?&])appid=([0-9a-f]{32})(?![A-Za-z0-9])",
        "key in a URL",
        lambda m: random(m[1]),
        0,
        False,
    ),
    Rule(
        "api-key",
        ("://",),
        r"://[\w.-]{0,80}(?:alchemy\.com|alchemyapi\.io|infura\.io|quiknode\.pro|ankr\.com|blastapi\.io|helius-rpc\.com|getblock\.io)"
        r"/(?:ws/|rpc/)?(?:v\d/)?(?:\w{2,12}/)?([A-Za-z0-9_-]{24,})",
        "key in the address of a node",
        lambda m: random(m[1], 20),
        0,
        False,
    ),
    Rule(
        "password",
        (":5432:", ":6432:", ":*:"),
        r":(?:5432|6432|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:([^\s:\"'`\\«»]{3,128})(?=[\s\"'\\]|$)",
        "password of a pgpass line",
        lambda m: not nothing(m[1]),
        0,
        False,
    ),
    Rule(
        "url-password",
        ("jdbc:oracle",),
        r"(?i)jdbc:oracle:\w{1,10}:[\w$#]{1,64}/([^\s@/\"'`«»]{1,128})@",
        "password in a URL of Oracle",
        lambda m: not nothing(m[1]),
        0,
        False,
    ),
    Rule(
        "password",
        ("pw", "pass"),
        r"(?i)(?:pwd|password)\s?=\s?\{([^{}\n«»]{3,128})\}(?=[;\"'\s]|$)",
        "password of a connection string",
        lambda m: mixed(m[1]) and not called(m[1]) and not code(m[1]),
        0,
        False,
    ),
    Rule("jenkins-secret", ("{aqaaab",), r"\{(AQAAAB[A-Za-z0-9+/]{20,}={0,2})\}", "secret of Jenkins", None, 0, False),
    Rule(
        "fernet-key",
        ("fernet(",),
        r"(?i)fernet\(\s{0,8}b?[\"']([A-Za-z0-9_-]{43}=)[\"']",
        "key of Fernet",
        None,
        0,
        False,
    ),
    Rule(
        "recovery-code",
        ("recovery code", "backup code"),
        r"(?i)(?:recovery|backup) codes?[^\n]{0,80}\n\s{0,20}"
        r"((?:[ \t*\d.)-]{0,8}(?=[a-z-]{0,12}\d)[a-z0-9]{4,10}(?:[- ][a-z0-9]{4,10}){0,3}[ \t]{0,4}"
        r"(?:\r?\n\s{0,8}|$)){2,20})",
        "recovery codes",
        None,
        0,
        False,
    ),
    Rule(
        "password",
        ("mot de passe", "senha", "wachtwoord", "contrase", "kata sandi", "adgangskode", "salasana", "parola"),
        r"(?i)(?:mot de passe|senha|wachtwoord|contrase.a|kata sandi|adgangskode|salasana|parola)[\w ]{0,16}[\"']?\s?"
        r"(?:[:=(]|is|est|es|é|è|adalah)\s?[\"'(]?([^\s\"'`\\<>(){}\[\]«»,;|]{4,128})",
        "password in another language",
        lambda m: stands_out(m[1]) and not nothing(m[1]),
        0,
        False,
    ),
    Rule(
        "password",
        ("pass",),
        r"(?i)(?:pass|password|passwd|pwd)\\{0,3}[\"']?\s?[:=]\s?\\{0,3}[\"']?"
        r"((?-i:[a-z]{4}(?: [a-z]{4}){3}))(?![\w ])",
        "application password",
        _in_fours,
        0,
        False,
    ),
)
