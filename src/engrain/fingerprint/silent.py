"""A failure that says nothing: the command and its exit code are all there is.

`grep` that found nothing, `diff` that found something, `test` that was false: they answer with their exit code. The
command decides here, and only here.
"""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of
from engrain.model import ROOT, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engrain.model import Diagnostic

_MEANINGS = (
    ("no match", "grep egrep fgrep zgrep rg ag ack fd"),
    ("files differ", "diff cmp"),
    ("condition false", "test [ [["),
    ("false", "false expr let"),
    ("no such command", "which type command"),
    ("no process", "pgrep pkill kill"),
    ("timed out", "timeout"),
    ("nothing said", "git find"),
    ("false or null", "jq"),
)
_ANSWERS = {program: meaning for meaning, programs in _MEANINGS for program in programs.split()}

_SIGNALS = {
    124: "timed out",
    126: "not executable",
    127: "command not found",
    130: "interrupted",
    134: "aborted",
    136: "floating point exception",
    137: "killed",
    139: "segmentation fault",
    143: "terminated",
}

_SPLIT = r"\s*(?:&&|\|\||;|\||\n)\s*"
_QUOTES = r"(?s)<<-?\s*['\"]?(\w+)['\"]?.*?\n\1(?=\n|$)|'[^']*'|\"(?:[^\"\\]|\\.)*\""


def silent(text: str, command: str, exit_code: int | None) -> Diagnostic | None:
    """What the command's silence means; None where the output says something."""
    if (exit_code is not None and exit_code > 128 and not text.strip()) or exit_code in (124, 137, 139):
        name = _SIGNALS.get(exit_code or 0, f"signal {(exit_code or 128) - 128}")
        return diagnostic("signal", name, rank=ROOT, settled=True)
    if not command or (text.strip() and not _only_listing(text, command)):
        return None
    program = _last_program(command)
    if not program:
        return None
    meaning = _ANSWERS.get(program)
    if meaning is None:
        code = f"exit {exit_code}" if exit_code is not None else "exit"
        return diagnostic(program, _SIGNALS.get(exit_code or 0, code), "nothing said", rank=ROOT, settled=True)
    return diagnostic(program, meaning, rank=ROOT, settled=True)


def _only_listing(text: str, command: str) -> bool:
    """`cat a; grep b` shows `a` and then fails at `b`: what was shown is no complaint, and nothing looks like one."""
    return (
        _last_program(command) in ("grep", "egrep", "rg", "diff", "test", "[", "[[", "cmp", "pgrep", "ag")
        and len(text) < 20_000
    )


def _last_program(command: str) -> str:
    """The name of the program whose exit code the shell gave back: the last one."""
    bare = pattern_of(_QUOTES).sub("''", command[:20_000])
    for part in reversed(pattern_of(_SPLIT).split(bare.strip())):
        words = [word for word in part.split() if not pattern_of(r"\w+=|[(){}!]$").match(word)]
        while words and words[0] in (
            "sudo",
            "time",
            "env",
            "nohup",
            "then",
            "do",
            "else",
            "if",
            "fi",
            "done",
            "exec",
            "xargs",
            "!",
        ):
            words = words[1:]
        if words and not words[0].startswith(("#", ">", "<", "2>", "''")):
            return words[0].strip("()").rpartition("/")[2]
    return ""
