"""Package managers of JavaScript: their own errors, and what they say when a script that they ran has failed."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import NOISE, SECOND, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_NPM = r"^npm (?:ERR!|error) "

ROWS = table(
    row(
        "npm",
        "script",
        r"[Mm]issing script: ?[\"']?(?P<script>[\w:.@/-]+)",
        "missing script",
        says="missing script",
    ),
    row("npm", "npm ", r"^npm (?:WARN|warn|notice)\b(?P<message>.*)", "warning", NOISE),
    row(
        "npm",
        "could not determine executable",
        _NPM + r"(?P<message>could not determine executable to run)",
        "no executable",
    ),
    row("npm", "Lifecycle script", _NPM + r"Lifecycle script `(?P<script>[^`]+)` failed", "script failed", WRAPPER),
    row("npm", "ELIFECYCLE", _NPM + r"(?:code|errno) (?P<code>ELIFECYCLE)", rank=WRAPPER),
    row("npm", " code ", _NPM + r"code (?P<code>\d+)$", rank=WRAPPER),
    row("npm", "Unknown command", r"^Unknown command: \"(?P<command>[^\"]+)\"", "unknown command"),
    row("npm", "workspaces", _NPM + r"(?P<message>No workspaces found.*)", "no workspaces"),
    row(
        "npm",
        "canceled due to missing packages",
        r"npx canceled due to missing packages(?P<message>.*)",
        "npx canceled",
    ),
    row("pnpm", "ERR_PNPM_RECURSIVE", r"(?P<code>ERR_PNPM_RECURSIVE\w*)", rank=WRAPPER),
    row("pnpm", "ERR_PNPM", r"(?P<code>ERR_PNPM_\w+)(?:\s+(?:\S+: )?(?P<message>.*))?$"),
    row("pnpm", "ELIFECYCLE", r"(?P<code>ELIFECYCLE)\s+Command failed", rank=WRAPPER),
    row("pnpm", 'Command "', r"Command \"(?P<script>[^\"]+)\" not found", "missing script"),
    row("yarn", "error Command failed", r"^error Command failed(?P<message>.*)", "Command failed", WRAPPER, says=""),
    row("yarn", 'error Command "', r"^error Command \"(?P<script>[^\"]+)\" not found", "missing script"),
    row(
        "yarn",
        "Couldn't find the binary",
        r"Couldn't find (?:the binary|a script named) \"?(?P<script>[\w:.-]+)",
        "missing script",
    ),
    row("yarn", "Couldn't find package", r"Couldn't find package \"(?P<package>[^\"]+)\"", "no such package"),
    row(
        "yarn",
        "Couldn't find any versions",
        r"Couldn't find any versions for \"(?P<package>[^\"]+)\"",
        "no such version",
    ),
    row("yarn", "YN0", r"➤ (?P<code>YN\d{4}): [│└┌·]* ?(?P<message>.*(?:error|fail|not|couldn't|can't).*)"),
    row("yarn", "Your lockfile needs to be updated", r"(?P<message>Your lockfile needs to be updated)", "lockfile"),
    row("yarn", "Couldn't find a package.json", r"(?P<message>Couldn't find a package.json file)", "no package.json"),
    row("yarn", 'The engine "', r"The engine \"(?P<engine>\w+)\" is incompatible", "engine"),
    row(
        "bun",
        "error: script ",
        r"^error: script \"(?P<script>[^\"]+)\" (?:exited with code|was terminated)",
        "script failed",
        WRAPPER,
    ),
    row("bun", "bun ", r"^error: (?P<message>No version matching .*)", "no such version"),
    row(
        "bun", "lockfile had changes", r"^error: (?P<message>lockfile had changes, but lockfile is frozen)", "lockfile"
    ),
    row(
        "turbo",
        " run failed",
        r"run failed: (?P<message>command\s{1,9}exited \(\d+\))",
        "run failed",
        WRAPPER,
        says="",
    ),
    row(
        "turbo",
        "command finished with error",
        r"command finished with error(?P<message>.*)",
        "run failed",
        WRAPPER,
        says="",
    ),
    row("lerna", "lerna ERR!", r"^lerna ERR! (?P<message>.*)", "script failed", WRAPPER, says=""),
    row("nx", "NX   ", r"^ {0,20}NX {1,20}(?P<message>.*[Ff]ailed.*)", "run failed", WRAPPER, says=""),
    row("husky", "husky - ", r"^husky - (?P<message>.*hook exited.*)", "hook failed", WRAPPER, says=""),
    row("corepack", "packageManager", r"(?P<message>This project is configured to use \w+)", "packageManager"),
)

_CODE = r"(?m)^npm (?:ERR!|error) code (?P<code>[A-Z][A-Z0-9_]+)$"
_LINE = r"(?m)^npm (?:ERR!|error) (?P<message>.*)$"
_DULL = (
    r"^(?:code|errno|syscall|path|dest|network|cwd|gyp|A complete log|This is|in:|at |\s|404 (?! )"
    r"|Log files|[a-z]+:? ?$|file |signal|command|workspace|location|Note|If you|notarget This is|enoent This"
    r"|notsup Not)"
)
_DECIDING = (
    (
        "E404",
        (
            r"404 (?: ?'?(?P<package>(?:@[\w.-]+/)?[\w.-]+)@| ?Not Found - \w+ "
            r"\S+?/(?P<package2>(?:@[\w.-]+(?:%2f|/))?[\w.-]+)(?: |$))"
        ),
    ),
    ("ETARGET", r"No matching version found for (?P<package>(?:@[\w.-]+/)?[\w.-]+)@"),
    ("ERESOLVE", r"Found: (?P<package>(?:@[\w.-]+/)?[\w.-]+)@"),
    ("EBADENGINE", r"Not compatible with your version of (?P<engine>\S+)"),
    ("EJSONPARSE", r"Invalid (?P<file_name>package\.json|package-lock\.json)"),
    ("ENOENT", r"(?:Could not read|open '?\S*?)(?: |/)(?P<missing>package(?:-lock)?\.json)"),
    ("EUSAGE", r"(?P<usage>`npm ci` can only install|can only install with an existing)"),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of package managers."""
    if "npm " in text:
        yield from _npm(text)
    yield from scan(ROWS, text, words)


def _npm(text: str) -> Iterator[Diagnostic]:
    """npm says its code first and then, under a prefix, what it means."""
    found = pattern_of(_CODE).search(text)
    if not found:
        if "npm ERR!" in text or "npm error" in text:
            for line in pattern_of(_LINE).finditer(text):
                if not pattern_of(_DULL).match(line["message"]) and not line["message"].startswith(
                    ("issing", "Missing", "Lifecycle")
                ):
                    yield diagnostic("npm", "error", line["message"], rank=SECOND, at=line.start())
                    return
        return
    code = found["code"]
    if code == "ELIFECYCLE":
        return
    decides: tuple[tuple[str, str], ...] = ()
    for name, pattern in _DECIDING:
        if name == code and (said := pattern_of(pattern).search(text)):
            decides = tuple((key.rstrip("2"), value) for key, value in said.groupdict().items() if value)
    yield diagnostic("npm", code, "" if decides else _words(text, found.end()), decides, at=found.start(), settled=True)


def _words(text: str, at: int) -> str:
    for line in pattern_of(_LINE).finditer(text[at : at + 4000]):
        if not pattern_of(_DULL).match(line["message"]):
            return pattern_of(r"^(?:[a-z]+|JSON\.parse) ").sub("", line["message"])
    return ""
