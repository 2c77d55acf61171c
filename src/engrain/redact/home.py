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
_NAME = r"([^\s/\\:\"'`<>|;,()\[\]{}*?]{1,64})(?=[\\/\s\"'`<>|:;,()\[\]{}]|$)"
# What begins with a letter that is always the same is searched for quickly; what stands before it is asked after that.
_HOMES = r"/(?<![\w.~-]/)(?:(?:mnt/|media/\w{1,32}/)?(?:home|Users|export/home|var/home)/|[cC]/Users/)" + _NAME
_DRIVES = r"(?<![\w.~-])[A-Za-z]:(?:\\{1,4}|/)(?:Users|Documents and Settings)(?:\\{1,4}|/)" + _NAME
_ROOT = r"(?<![\w.~/-])/root(?=[/\s\"'`:;,)\]]|$)"


def homeless(text: str, home: str = "") -> str:
    """The text with home folders as `~`; `home` is one more folder to treat so, wherever it lies."""
    if home and home not in ("/", ".", "~"):
        text = _without(text, home.rstrip("/\\"))
    if "Settings" in text or "\\Users" in text or ":/Users/" in text:
        text = compiled(_DRIVES).sub(_tilde, text)
    if "/home/" in text or "/Users/" in text:
        text = compiled(_HOMES).sub(_tilde, text)
    return compiled(_ROOT).sub("~", text) if "/root" in text else text


def _tilde(match: Match[str]) -> str:
    return match[0] if match[1].lower() in _NOBODY else "~"


def _without(text: str, home: str) -> str:
    parts: list[str] = []
    done, at = 0, text.find(home)
    while at >= 0:
        end = at + len(home)
        # What stands before may be a `~` that another one became.
        before = text[at - 1 : at] if at > done else "~" if parts else ""
        inside = before.isalnum() or before in tuple("/\\._-~")
        if not inside and not text[end : end + 1].isalnum() and text[end : end + 1] not in ("_", "-", "."):
            parts += (text[done:at], "~")
            done = end
        at = text.find(home, end)
    return "".join([*parts, text[done:]]) if parts else text
