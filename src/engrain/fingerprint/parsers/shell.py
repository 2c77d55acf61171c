"""Shells and the small tools that people call from them.

Whatever the shell is called and however it orders its words, a missing command is a missing command: the type is the
reason, and the parameter what is missing. Other tools say `tool: subject: reason`, and there the tool is the toolchain.
"""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, pattern_of, row, scan, table
from engrain.fingerprint.vocabulary import words as words_of_lines
from engrain.fingerprint.wording import told
from engrain.model import NOISE, SECOND, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set
    from re import Match

    from engrain.model import Diagnostic

_SH = (
    r"^(?:\S*?/)?(?P<_sh>-?(?:ba|z|k|da|a|tc|c|fi)?sh|[\w./-]+\.(?:sh|bash|zsh|ksh)|environment|main"
    r"|\(eval\)|/bin/sh|[\w./-]+)(?:\[\d+\])?:(?: ?(?:line )?\d+:)? ?"
)

ROWS = table(
    # A script with the line ends of Windows: what the shell then looks for does not exist, by whatever name.
    row("shell", "command not found", r"\$'[^'\n]{0,80}\\r': command not found", "carriage return", says=""),
    row(
        "shell",
        "No such file or directory",
        r"^(?:/usr/bin/)?env: [‘'“]?[\w.+-]{1,60}\\r[’'”]?: No such file or directory",
        "carriage return",
        says="",
    ),
    row(
        "shell",
        "No such file or directory",
        r"\$'[^'\n]{0,200}\\r': No such file or directory",
        "carriage return",
        says="",
    ),
    row("shell", "bad interpreter", r"\^M: bad interpreter", "carriage return", says=""),
    row("shell", "command not found: ", r"command not found: (?P<command>\S+)", "command not found", says=""),
    row(
        "shell",
        "command not found",
        r"(?:^|: )(?P<command>[^\s:]{1,300}): command not found",
        "command not found",
        says="",
    ),
    row(
        "shell",
        ": not found",
        r"^(?:/bin/|/usr/bin/)?(?:sh|dash|ash|\S+\.sh): (?:line )?\d+: (?:eval: (?:line )?\d+: "
        r")?(?P<command>[^\s:]+): not found$",
        "command not found",
        says="",
    ),
    row(
        "shell",
        ": not found",
        r"^(?:/bin/|/usr/bin/)?(?:sh|dash|ash): (?P<command>[^\s:]+): not found$",
        "command not found",
        says="",
    ),
    row(
        "shell",
        "fish: Unknown command",
        r"^fish: Unknown command:? '?(?P<command>[^\s']+)",
        "command not found",
        says="",
    ),
    row(
        "shell",
        "is not recognized as",
        r"(?<![\w.-])(?P<command>[\w.-]{1,100})'?\s{0,9}(?::.{0,160})?is not recognized as "
        r"(?:an internal|the name of a cmdlet|a name of a cmdlet)",
        "command not found",
        says="",
    ),
    row(
        "shell",
        "No such file or directory",
        r"^(?:/usr/bin/)?env: [‘'“]?(?P<command>[\w.+-]+)[’'”]?: No such file or directory",
        "command not found",
        says="",
    ),
    row(
        "shell",
        "bad interpreter",
        r": bad interpreter: (?:\S*/)?(?P<interpreter>[^\s/:]+): no ",
        "bad interpreter",
        says="",
    ),
    row(
        "shell", "bad interpreter", r": (?:\S*/)?(?P<interpreter>[^\s/:]+): bad interpreter", "bad interpreter", says=""
    ),
    row("shell", "unbound variable", r"(?<!\w)(?P<variable>\w{1,100}): unbound variable", "unbound variable", says=""),
    row(
        "shell",
        "parameter not set",
        r"(?<!\w)(?P<variable>\w{1,100}): parameter (?:null or )?not set",
        "unbound variable",
        says="",
    ),
    row(
        "shell",
        "syntax error near unexpected token",
        r"syntax error near unexpected token [`'](?P<token>.*?)'$",
        "syntax error near",
        says="",
    ),
    row(
        "shell",
        "unexpected EOF while looking for",
        r"unexpected EOF while looking for matching [`'](?P<token>.+?)'",
        "unterminated",
        says="",
    ),
    row(
        "shell",
        "syntax error: unexpected end of file",
        r"syntax error: unexpected end of file",
        "unexpected end of file",
        says="",
    ),
    row("shell", "Syntax error: ", r"^\S+: \d+: Syntax error: (?P<message>.*)", "syntax error"),
    row(
        "shell",
        "parse error near",
        r"^(?:zsh|\(eval\)|\S+\.zsh):\d*:? ?(?:\d+: )?parse error near",
        "syntax error near",
        says="",
    ),
    row("shell", "can't cd to", r"cd: can't cd to ", "no such file or directory", says=""),
    row("awk", ": cmd. line:", r"^[gm]?awk: .*?(?:fatal|error): (?P<message>.*)"),
    row("awk", ": cmd. line:", r"^[gm]?awk: .*?\^ (?P<message>.*)", "syntax error"),
    row("awk", ": cmd. line:", r"^[gm]?awk: (?:cmd\. )?line:? ?\d+: .*", "syntax error", NOISE),
    row(
        "shell",
        "here-document",
        r"warning: here-document at line \d+ delimited by end-of-file",
        "here-document",
        NOISE,
        says="",
    ),
    row("tar", "Not found in archive", r"^(?:\S*/)?tar: .*: Not found in archive$", "not found in archive", says=""),
    row("find", "Unknown argument to -", r"Unknown argument to (?P<option>-\w+)", "unknown argument", says=""),
    row("unzip", "cannot find or open", r"^unzip: .*cannot find or open ", "no such file", says=""),
    row("jq", "parse error: ", r"^(?:jq: error.*: |jq: )?parse error: (?P<message>.*?) at (?:line \d+|EOF).*", "parse"),
    row("shell", "Missing end to balance", r"Missing end to balance this ", "missing end", says=""),
    row("shell", "bad array subscript", r": bad array subscript$", "bad array subscript", says=""),
    row("shell", "bad substitution", r"bad substitution", "bad substitution", says=""),
    row("shell", "ambiguous redirect", r"ambiguous redirect", "ambiguous redirect", says=""),
    row("shell", "event not found", r"event not found", "event not found", says=""),
    row("shell", "no matches found", r"^(?:zsh|\(eval\)):(?:\d+:)? ?no matches found: ", "no matches found", says=""),
    row("shell", " list too long", r"[Aa]rgument list too long", "argument list too long", says=""),
    row("shell", " format error", r"[Ee]xec format error", "exec format error", says=""),
    row(
        "shell",
        ": cannot execute",
        r"cannot execute(?: binary file|: required file not found)",
        "cannot execute",
        says="",
    ),
    row("shell", "binary operator expected", r"\[: .*(?:binary|unary) operator expected", "test expression", says=""),
    row("shell", "unary operator expected", r"\[: .*unary operator expected", "test expression", says=""),
    row("shell", "integer expression ", r"integer expression expected", "test expression", says=""),
    row("shell", "too many arguments", r"(?:\[|cd): too many arguments", "too many arguments", says=""),
    row("shell", "division by", r"division by (?:0|zero) \(error token", "division by zero", says=""),
    row("shell", "not a valid identifier", r"not a valid identifier", "not a valid identifier", says=""),
    row(
        "shell", "readonly variable", r"(?<!\w)(?P<variable>\w{1,100}): readonly variable", "readonly variable", says=""
    ),
    row(
        "shell",
        "permission denied: ",
        r"^(?:zsh|\(eval\)):(?:\d+:)? ?permission denied: ",
        "permission denied",
        says="",
    ),
    row(
        "shell",
        " denied",
        r"^(?:\S*/)?(?:-?(?:ba|z|k|da|a)?sh|\S+\.(?:sh|bash))(?:\[\d+\])?: (?:(?:line )?\d+: "
        r")?(?P<_path>[^:]+): [Pp]ermission denied",
        "permission denied",
        says="",
    ),
    row(
        "shell",
        "no such file or directory: ",
        r"^(?:zsh|\(eval\)|cd):(?:\w+:)?(?:\d+:)? ?no such file or directory: ",
        "no such file or directory",
        says="",
    ),
    row(
        "shell",
        " such file or directory",
        r"^(?:\S*/)?(?:-?(?:ba|z|k|da|a)?sh|\S+\.(?:sh|bash))(?:\[\d+\])?: (?:(?:line )?\d+: )?(?:cd: "
        r")?(?P<_path>[^:]+): [Nn]o such file or directory",
        "no such file or directory",
        says="",
    ),
    row("shell", "sudo: ", r"^sudo: (?P<command>\S+): command not found", "command not found", says=""),
    row("shell", "sudo: ", r"^sudo: unable to resolve host .*", "sudo", NOISE),
    row("shell", "sudo: ", r"^sudo: (?P<message>.*)", "sudo"),
    row("shell", "not in the sudoers file", r"(?P<message>is not in the sudoers file)", "sudo", says=""),
    row("shell", "must be run as root", r"(?P<message>must be run as root)", "not root", SECOND, says=""),
    row(
        "shell",
        "Is a directory",
        r"^(?:\S*/)?(?:ba|z|da)?sh: (?:line \d+: )?\S+: Is a directory",
        "is a directory",
        says="",
    ),
    row("shell", "Killed", r"^(?:\S+: )?(?:line \d+: +)?(?:\d+ )?Killed(?: .*)?$", "Killed", SECOND, says=""),
    row(
        "shell", "Terminated", r"^(?:\S+: )?(?:line \d+: +)?(?:\d+ )?Terminated(?: .*)?$", "Terminated", SECOND, says=""
    ),
    row("shell", "exit status ", r"^exit status \d+$", "exit status", WRAPPER, says=""),
)

_REASONS = (
    "No such file or directory|Permission denied|Operation not permitted|Is a directory|Not a "
    "directory|File exists|Directory not empty|"
    "No space left on device|Read-only file system|Too many open files|Device or resource busy|Text "
    "file busy|Invalid argument|"
    "Bad file descriptor|Broken pipe|Input/output error|Cross-device link|Invalid cross-device link"
    "|Connection refused|Connection timed out|"
    "Too many levels of symbolic links|File name too long|Argument list too long|Resource "
    "temporarily unavailable|Interrupted system call|"
    "Cannot allocate memory|Disk quota exceeded|Exec format error|No such process|Operation not "
    "supported|Function not implemented|"
    "Protocol not supported|Illegal seek|Bad address|Inappropriate ioctl for device|No child "
    "processes|Stale file handle|Address already in use|"
    "No such device or address|No such device|No such container"
)
_TOOL = (
    rf"(?m)\n(?P<tool>(?:/[\w./-]*/)?[a-zA-Z_][\w.+-]{{0,40}})(?: \(child\))?: (?:(?P<what>.{{1,400}}?): "
    rf")?(?P<reason>{_REASONS})(?: \(os error \d+\)|\.)?$"
)
_ENDS = words_of_lines(
    "directory denied permitted exists empty device system files busy argument descriptor pipe error link refused",
    "out links long unavailable call memory exceeded process supported implemented seek address use handle",
    "processes container",
)
"""Words that those reasons end with."""

_OPTIONS = frozenset(("option", "options", "argument", "predicate", "primary", "flag", "operand", "command"))
_OPTION = (
    r"(?m)\n(?![Ee][Rr]{2}|[Ff]atal|FATAL|[Uu]sage|[Nn]ote)(?P<tool>(?:/[\w./-]*/)?[a-zA-Z_][\w.+-]{0,4"
    r"0}): (?P<how>invalid|illegal|unrecognized"
    r"|unrecognised|unknown|ambiguous|unknown short|unknown long) (?:option|argument|predicate|primary"
    r"|flag|command|operand)s?(?: or operator)?(?: --)?:? ?[`'‘\"]?(?P<option>[^\s'’\"]+)"
)
_TOOLS = words_of_lines(
    "sed awk gawk mawk grep egrep rg find xargs tr cut sort head tail diff patch tar unzip jq yq date expr bc dd df",
    "kill ps test touch tee wc cat cp mv rm ln ls mkdir rmdir chmod chown stat du file basename dirname realpath",
    "readlink base64 openssl gpg zip gzip xz bzip2 install mktemp nohup time timeout seq paste join comm uniq od",
    "xxd strings nm objdump strip ar ranlib pkill pgrep su passwd crontab mount umount ip ifconfig ping man locale",
    "tput stty env printf echo source export set read cd pushd popd alias type which whereis bash sh zsh tree ed ex",
    "vi vim nano less more screen tmux ffmpeg convert pandoc dot latex pdflatex xelatex",
)
_SAYS = r"(?m)\n(?:/[\w./-]*/)?(?P<tool>[a-z][\w.+-]{0,20})(?: error)?: (?P<message>.*)$"
_COMPLAINS = (
    r"(?i)\b(?:cannot|can't|couldn't|could not|no such|no (?:input|file|match)|invalid|illegal|unknown"
    r"|un(?:terminated|expected|matched|able|recogni[sz]ed)"
    r"|missing|not|too|failed|error|extra|syntax|expected|bad|denied|undefined|refus\w+|unmatched|must"
    r"|requires?|without)\b"
)
_AFTERWARDS = frozenset(("Error is not recoverable: exiting now", "Exiting with failure status due to previous errors"))
"""How tar goes, whatever it was that went wrong before."""
_USAGE = r"(?m)\n(?P<prog>[\w./-]+?(?:\.py)?)(?: [\w-]+)?: error: (?P<message>.*)$"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of shells and small tools."""
    taken = set()
    for each in scan(ROWS, text, words):
        taken.add(each.at)
        yield each
    for match in lines_like(_TOOL, text) if not _ENDS.isdisjoint(words) else ():
        if match.start() not in taken:
            taken.add(match.start())
            yield _reason(match)
    if not _OPTIONS.isdisjoint(words):
        for match in lines_like(_OPTION, text):
            if match.start() not in taken:
                taken.add(match.start())
                yield diagnostic(
                    _base(match["tool"]),
                    "unknown option",
                    "",
                    (("option", match["option"]),),
                    at=match.start(),
                    settled=True,
                )
    if not _TOOLS.isdisjoint(words):
        for match in lines_like(_SAYS, text):
            if match.start() not in taken and _is_complaint(match):
                yield diagnostic(match["tool"], "error", match["message"], at=match.start())
    if "usage" in words:
        yield from _used(text)


def _is_complaint(match: Match[str]) -> bool:
    """`test: ok` has the shape of a complaint and is none."""
    message = match["message"]
    if match["tool"] not in _TOOLS or message[:7].lower() in ("warning", "try 'he"):
        return False
    return message not in _AFTERWARDS and pattern_of(_COMPLAINS).search(message[:300]) is not None


def _reason(match: Match[str]) -> Diagnostic:
    """The tool, and the words of the system: what it was about is a path."""
    what = match["what"] or ""
    words = pattern_of(r"(?:cannot|can't|could not|unable to|failed to|error) [a-z]+(?: [a-z]+)*?(?=[: ]|$)").match(
        what
    ) or pattern_of(r"(?<=: )(?:Cannot|Can't) [a-z]+$").search(what)
    kind, name = (
        told("file", what.split()[-1].strip("'‘’\"")) if what and "No such file" in match["reason"] else ("", "")
    )
    return diagnostic(
        _base(match["tool"]),
        match["reason"].lower(),
        words.group() if words else "",
        ((kind, name),) if name else (),
        at=match.start(),
        settled=True,
        shown=match.group()[1:],
    )


_ADVISED = (
    r"\nTry ['\"][^'\"\n]{1,200} (?:--help|-h)['\"] for help\.?\n\s*"
    r"(?:Error: *\n?(?P<message>\S.*)|╭─ Error ─+╮\n│ +(?P<boxed>.*?) *│\n)"
)


def _used(text: str) -> Iterator[Diagnostic]:
    """What argparse prints below the usage, and Click and its like below their advice to ask for help."""
    if "\nTry " in text and "for help" in text:
        for match in lines_like(_ADVISED, text):
            message = match["message"] or match["boxed"]
            of = pattern_of(r"Invalid value for '?(?P<of>[^':]{1,80})'?(?: .{0,80}?)?: ").match(message)
            decides = (("of", of["of"]),) if of else ()
            yield diagnostic("usage", "usage", message, decides, at=match.start())
    if ": error: " in text:
        for match in lines_like(_USAGE, text):
            yield _usage(match)


def _usage(match: Match[str]) -> Diagnostic:
    """What argparse and its like print below the usage."""
    message = match["message"]
    decides: tuple[tuple[str, str], ...] = ()
    if found := pattern_of(
        r"the following arguments are required: (?P<argument>\S+)|unrecognized arguments: "
        r"(?P<option>-[^\s=]+)|argument (?P<of>[^:]+): "
    ).match(message):
        decides = tuple((name, value.rstrip(",")) for name, value in found.groupdict().items() if value)
        message = pattern_of(r"(required|arguments): .*").sub(lambda found: found[1], message)
        message = pattern_of(r"^argument [^:]+: ").sub("argument: ", message)
        if "of" in found.groupdict() and not pattern_of(_SUBCOMMAND).match(found["of"] or "x"):
            message = pattern_of(r"(invalid (?:choice|\w+ value)): .*").sub(r"\1", message)
    return diagnostic("usage", "usage", message, decides, at=match.start())


_SUBCOMMAND = r"\{|(?:sub_?)?(?:command|cmd|action|task)s?$"
"""Arguments that say what to do: there a choice that does not exist is a thing that is missing, elsewhere a value."""


def _base(tool: str) -> str:
    return tool.rpartition("/")[2]
