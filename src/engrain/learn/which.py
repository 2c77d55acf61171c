"""The words of one command → which command it is: its program, what it works on, and where.

Out go the runner (`uv run`, `npx`, `python -m`), the folder that the program lies in, and every option that only
changes how things are told; what an option says of the target stays, under one name. On the hook's path.
"""

from __future__ import annotations

from posixpath import normpath

from engrain.learn import programs
from engrain.patterns import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engrain.learn.programs import Tool

_LONGEST = 400
"""Characters of a key; of the rest its digest stays."""

_FILE = (
    r"\.(?:py|pyi|ipynb|[cm]?[jt]sx?|vue|svelte|rb|go|rs|java|kts?|scala|cs|fs|vb|csproj|fsproj|sln|php|ex|exs|lua|pl|sh|bash"
    r"|swift|dart|c|cc|cpp|cxx|h|hpp|sql|html?|css|scss|json|toml|ya?ml|ini|cfg|txt|md|rst|xml|tf|zig|hs|ml|jl|r|R|proto)"
    r"(?:::.*|:\d+.*)?$"
)
_NO_FILE = r"\w+://|@"


def which(words: Sequence[str], gone: Sequence[Sequence[str]], works: bool, root: str, cwd: str) -> str:
    """The key of the words, run after these `cd`s."""
    folder = _gone("", cwd, root) if root and cwd else ""
    for go in gone:
        folder = _gone(folder, next((word for word in go[1:] if word == "-" or word[:1] != "-"), "~"), root)
    if not works:
        return _bounded(" ".join(words), folder)
    name, rest, script = _program(words)
    found, chosen, folder = _targets(name, rest, folder, root)
    if script:
        name = _placed(name, root)
    if folder:
        name, found, folder = _seen_from_root(name, found, folder, script, root)
    found = [_placed(word, root) for word in found]
    return _bounded(" ".join([name, *found, *sorted(chosen)]), folder)


def _seen_from_root(name: str, found: list[str], folder: str, script: bool, root: str) -> tuple[str, list[str], str]:
    """The folder goes into the names of the files that the command names; where it names nothing else, it is said."""
    files = [word for word in found if _is_file(word)]
    if not (script or files) or folder[:1] in "~$-":
        return name, found, folder
    said = script or len(files) == len(found)
    if not root:
        return name, found, "" if said else folder
    if script and name[:1] not in "/~$":
        name = normpath(f"{folder}/{name}")
    return name, [_inside(folder, word) for word in found], "" if said else folder


def _program(words: Sequence[str]) -> tuple[str, list[str], bool]:
    """Its name, the words behind it, and whether it is a script of the project's own."""
    at, name = 0, programs.name(words[0])
    while (begins := programs.run_by(name, words, at)) > at:
        at, name = begins, programs.name(words[begins])
    words = list(words[at:])
    if name in programs.INTERPRETERS:
        return _interpreted(name, words)
    return name, words[1:], "/" in name or (name not in programs.KNOWN and "." in name)


def _interpreted(name: str, words: list[str]) -> tuple[str, list[str], bool]:
    """`python -m pytest` is `pytest`, `python x.py` is `x.py`, `python -c CODE` is itself."""
    at = 1
    while at < len(words) and words[at][:1] == "-" and words[at] != "-":
        if words[at] == "-m" and name == "python" and at + 1 < len(words):
            return programs.name(words[at + 1]), words[at + 2 :], False
        if words[at] in ("-c", "-e", "--eval", "-p", "-r") and at + 1 < len(words):
            if words[at] != "-r":
                return f"{name} {words[at]} {' '.join(words[at + 1].split())}", words[at + 2 :], False
            at += 1
        at += 2 if words[at] in ("-W", "-X", "--require", "--loader", "--import") else 1
    if at < len(words) and _is_script(words[at]):
        return words[at].removeprefix("./"), words[at + 1 :], True
    return name, words[1:], False


def _is_script(word: str) -> bool:
    return "/" in word or ("." in word and bool(compiled(_FILE).search(word)))


def _targets(name: str, words: list[str], folder: str, root: str) -> tuple[list[str], list[str], str]:
    """What it works on, the options that say so too, and the folder that an option leads to."""
    tool = programs.tool(name)
    found: list[str] = []
    chosen: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in ("<", "<<<", ">", ">>"):
            chosen.append(" ".join([word, *words[at : at + 1]]))
            at += 1
        elif word[:1] != "-" or word == "-":
            word = word if found else tool.short.get(word, word)
            if word and not (word[0] == "+" and name == "cargo"):
                found.append(word)
        else:
            option, joined, value = word.partition("=")
            kind = _kind(tool, option, name)
            if option in tool.kept:
                chosen.append(option)
            if not joined and at < len(words) and (kind or words[at].isdigit()):
                value = words[at]
                at += 1
            if kind == "folder":
                folder = _gone(folder, value, root)
            elif kind not in ("", "how"):
                chosen.append(f"{kind} {_placed(value, root)}")
    return found, chosen, folder


def _kind(tool: Tool, option: str, name: str) -> str:
    """`how`, `folder`, or the name under which this option says which."""
    if option in tool.folder:
        return "folder"
    if option in tool.how:
        return "how"
    found = tool.which.get(option, "")
    if not found and name == "pytest" and option[1:2] != "-" and option[-1] in "km":
        return tool.which["-" + option[-1]]
    return found


def _gone(folder: str, to: str, root: str) -> str:
    """The folder after a `cd`; the root is no folder of its own, and without it an absolute folder is the root."""
    to = to[1:-1] if to[:1] in "'\"" and to[:1] == to[-1:] else to
    if to[:2] == "~/" and not root:
        # The home as it may be written: an absolute folder all the same.
        return ""
    if to[:1] in ("~", "$", "-"):
        return to
    if to[:1] == "/":
        if not root:
            return ""
        to = normpath(to)
        return "" if to == root else to.removeprefix(root.rstrip("/") + "/")
    to = normpath(f"{folder}/{to}" if folder else to)
    return "" if to == "." else to


def _placed(word: str, root: str) -> str:
    """A path without what does not say where it leads."""
    if root and word[:1] == "/" and (word == root or word.startswith(root.rstrip("/") + "/")):
        word = word[len(root.rstrip("/")) :].lstrip("/") or "."
    while word[:2] == "./":
        word = word[2:].lstrip("/") or "."
    return word[:-1] if word[-1:] == "/" and len(word) > 1 else word


def _is_file(word: str) -> bool:
    if word in (".", "..") or word.startswith(("./", "../")):
        return True
    return "." in word and bool(compiled(_FILE).search(word)) and not compiled(_NO_FILE).match(word)


def _inside(folder: str, word: str) -> str:
    if not _is_file(word) or word[:1] in "/~$":
        return word
    path, colons, rest = word.partition("::")
    return normpath(f"{folder}/{path}") + colons + rest


def _bounded(text: str, folder: str) -> str:
    text = " ".join(f"cd {folder} && {text}".split() if folder else text.split())
    if len(text) <= _LONGEST:
        return text
    from binascii import crc32

    return f"{text[:_LONGEST]}…{crc32(text.encode('utf-8', 'surrogatepass')):08x}"
