"""User names and home folders out of paths: `/home/alice/x` and `C:\\Users\\alice\\x` are `~/x` and `~\\x`.

A path of this user becomes the same text on every machine, and tells nobody who that is. In running text the same,
where a home folder begins a path. Names of no person stay (`/home/runner`, `/Users/Shared`).
"""

from __future__ import annotations

from engrain.patterns import compiled
from engrain.redact.rule import vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

_NOBODY = vocabulary("shared public default all users runner runneradmin vagrant circleci node app ubuntu user")
_HOMES = (
    r"(?<![\w.~-])(?:(?:/mnt|/media/\w{1,32})?/(?:home|Users|export/home|var/home)/|/"
    r"(?:c|C)/Users/|[A-Za-z]:(?:\\{1,4}|/)(?:Users|Documents and Settings)(?:\\{1,4}|/))"
    r"([^\s/\\:\"'`<>|;,()\[\]{}*?]{1,64})(?=[\\/\s\"'`<>|:;,()\[\]{}]|$)"
)
_ROOT = r"(?<![\w.~/-])/root(?=[/\s\"'`:;,)\]]|$)"


def homeless(text: str, home: str = "") -> str:
    """The text with home folders as `~`; `home` is one more folder to treat so, wherever it lies."""
    if home and home not in ("/", ".", "~"):
        text = _without(text, home.rstrip("/\\"))
    if "home/" in text or "sers" in text or "Settings" in text:
        text = compiled(_HOMES).sub(_tilde, text)
    return compiled(_ROOT).sub("~", text) if "/root" in text else text


def _tilde(match: Match[str]) -> str:
    return match[0] if match[1].lower() in _NOBODY else "~"


def _without(text: str, home: str) -> str:
    at = text.find(home)
    while at >= 0:
        end = at + len(home)
        inside = at > 0 and (text[at - 1].isalnum() or text[at - 1] in "/\\._-~")
        if inside or (text[end : end + 1].isalnum() or text[end : end + 1] in ("_", "-", ".")):
            at = text.find(home, end)
        else:
            text = text[:at] + "~" + text[end:]
            at = text.find(home, at + 1)
    return text
