"""What a Python exception means: its type, the words that count, the names that decide.

Shared by everything that shows Python's exceptions: a plain traceback, pytest, unittest.
"""

from __future__ import annotations

from collections import namedtuple

from engrain.fingerprint.rows import pattern_of
from engrain.fingerprint.vocabulary import words
from engrain.fingerprint.wording import is_name, told
from engrain.model import ROOT, SECOND, WARNING, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match
    from typing import NamedTuple

    from engrain.model import Diagnostic

    Decides = tuple[tuple[str, str], ...]

    class Raised(NamedTuple):
        """An exception of a traceback; `code` is the source line that raised, `where` its function."""

        type: str
        message: str
        file: str
        where: str
        code: str
        at: int
else:
    Raised = namedtuple("Raised", "type message file where code at")

BUILTIN = words(
    "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError",
    "BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError",
    "ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup",
    "FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError",
    "ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt",
    "LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError",
    "OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError",
    "RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration",
    "SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError",
    "UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError",
    "Warning ZeroDivisionError OutOfMemoryError",
)
_SYNTAX = frozenset(("SyntaxError", "IndentationError", "TabError"))

_OF_THE_SYSTEM = words(
    "ConnectionRefusedError ConnectionResetError BrokenPipeError FileNotFoundError PermissionError FileExistsError",
    "IsADirectoryError NotADirectoryError gaierror",
)
"""Exceptions that have an errno of their own, so that the type says it all."""

_SUGGESTS = r" after | \(detected at|(?<!^invalid syntax)\. (?:Perhaps|Maybe|Did) |, perhaps "
"""Where a newer Python goes on to guess; of `invalid syntax` its guess is all that it says."""

_PAIR = r" '[\])}]' does not match opening parenthesis '[\[({]'"
_NOT_OF = r"^(?:'.{0,200}'|\S{1,200}) is not a valid [A-Z]\w*$"
"""An enumeration that has no member of that value, whatever the value."""

_SAME_HOWEVER_SAID = frozenset(
    ("RecursionError", "ZeroDivisionError", "UnicodeDecodeError", "UnicodeEncodeError", "MemoryError")
)
"""Their words hang on the operator, the byte or the place that happened to be met."""

_UNDERNEATH = (
    ("Connection refused", "ConnectionRefusedError"),
    ("Connection reset by peer", "ConnectionResetError"),
    ("Broken pipe", "BrokenPipeError"),
    ("Name or service not known", "socket.gaierror"),
    ("Temporary failure in name resolution", "socket.gaierror"),
    ("nodename nor servname provided", "socket.gaierror"),
    ("No address associated with hostname", "socket.gaierror"),
    ("Connection timed out", "TimeoutError"),
    ("No such file or directory", "FileNotFoundError"),
    ("Permission denied", "PermissionError"),
    ("Network is unreachable", "OSError: Network is unreachable"),
    ("No route to host", "OSError: No route to host"),
    ("ddress already in use", "OSError: Address already in use"),
)
"""What lies underneath an exception of a network library, which quotes it."""

_QUOTING = (
    "ConnectionError",
    "URLError",
    "MaxRetryError",
    "ConnectError",
    "NewConnectionError",
    "ConnectorError",
    "SSLError",
    "OperationalError",
    "ClientError",
    "ProxyError",
    "ConnectTimeout",
)

_SAID = (
    # (type ends with, pattern of the message, names that decide)
    ("ModuleNotFoundError", r"^No module named '?(?P<module>[^';]+)'?"),
    (
        "ImportError",
        r"^cannot import name '?(?P<name>\w+)'?(?: from (?:partially initialized module )?'(?P<module>[\w.]+)')?",
    ),
    ("ImportError", r"^No module named '?(?P<module>[\w.]+)'?"),
    ("ImportError", r"^(?P<library>lib[\w.+-]+\.so[\w.]*|[\w.+-]+\.dll): "),
    ("AttributeError", r"module '(?P<module>[\w.]+)' has no attribute '(?P<attribute>\w+)'"),
    ("AttributeError", r"has no attribute '?(?P<attribute>\w+)"),
    ("KeyError", r"^(?P<key>'[^']{1,80}'|\"[^\"]{1,80}\"|[\w.]{1,80})$"),
    ("TypeError", r"(?:unexpected|invalid) keyword argument:? '(?P<argument>\w+)'"),
    ("TypeError", r"required (?:positional|keyword-only) arguments?: '(?P<argument>\w+)'"),
    ("NameError", r"^(?:global )?name '(?P<name>\w+)' is not defined"),
    ("TemplateNotFound", r"^(?P<template>[\w./-]+)$"),
    ("PackageNotFoundError", r"^(?:No package metadata was found for )?(?P<module>[\w.-]+)$"),
    ("LookupError", r"^No installed app with label '(?P<app>\w+)'"),
)


_LIBRARY = r"(?P<library>[\w.+-]{1,80}): cannot open shared object file"
_INVALID = (
    r"\d{1,4} validation errors? for \S+: (?P<field>\w[\w.]{0,80}?)(?:\.\d+)*: .{0,300}?[\[(]type=(?P<kind>[\w.]{1,60})"
)
_REASON = r"certificate verify failed: (?P<reason>[A-Za-z][\w -]{2,60}?)(?=[,.:]| \(|$)"
_RAN = (
    r"Command '?(?:\[(?P<words>(?:'[^']{0,300}'(?:, )?){1,40}[^\]]{0,2000})\]|(?P<line>.{1,2000}?))'? "
    r"(?P<how>(?:returned non-zero exit status|died with|timed out after)\b.*)$"
)
_SUBCOMMAND = r"[a-z][a-z:-]{1,30}$"


def looks_raised(name: str, file: str) -> bool:
    last = name.rpartition(".")[2]
    return (
        last in BUILTIN
        or last.endswith(
            (
                "Error",
                "Exception",
                "Exit",
                "Interrupt",
                "Warning",
                "Timeout",
                "Failure",
                "Group",
                "Invalid",
                "error",
                "Abort",
                "NotFound",
                "DoesNotExist",
                "Found",
                "Stop",
                "Skip",
                "Failed",
                "Skipped",
                "Refused",
            )
        )
        or ("." in name and bool(file))
        or (last[:1].isupper() and bool(file))
    )


def of(raised: Raised, rank: int = ROOT) -> Diagnostic:
    """The diagnostic of an exception."""
    said = raised.message or raised.type
    if "CUDA" in raised.message and raised.type.endswith(("OutOfMemoryError", "RuntimeError", "AcceleratorError")):
        from engrain.fingerprint.parsers.resources import cuda

        return cuda(raised.message, rank, raised.at)._replace(shown=said[:400])
    name, message, decides, settled = _meaning(raised)
    return diagnostic(
        "python",
        name,
        message,
        decides,
        rank=_rank(raised, rank),
        at=raised.at,
        file=raised.file,
        settled=settled,
        shown=said[:400],
    )


def _meaning(raised: Raised) -> tuple[str, str, Decides, bool]:
    """Type, words, what decides, and whether the type alone is the family."""
    name, message = raised.type, raised.message
    last = name.rpartition(".")[2]
    if beneath := _beneath(name, last, message):
        return beneath
    if last in _OF_THE_SYSTEM:
        return _of_the_system(raised)
    if last in _SYNTAX:
        marker = (("source", "merge marker"),) if raised.code[:7] in ("<<<<<<<", "=======", ">>>>>>>") else ()
        said = pattern_of(_PAIR).sub(" does not match", pattern_of(_SUGGESTS).split(message)[0])
        return name, said, marker, True
    if last in _SAME_HOWEVER_SAID:
        codec = pattern_of(r"'(?P<codec>[\w-]+)' codec").match(message)
        return name, "", (("codec", codec["codec"].lower()),) if codec else (), True
    if last == "KeyError":
        return name, "", _said(last, message), True
    if last == "AssertionError":
        return name, raised.message or raised.code, _asserted(raised), False
    if last == "ValueError" and " is not a valid " in message:
        message = pattern_of(_NOT_OF).sub("<value> is not a valid <name>", message)
    if "partially initialized module" in message:
        return name, "circular import", (), False
    return name, message, _said(last, message), False


def _beneath(name: str, last: str, message: str) -> tuple[str, str, Decides, bool] | None:
    """What the words quote from elsewhere: the loader, a certificate, the system, a command, a model's field."""
    if "cannot open shared" in message and (found := pattern_of(_LIBRARY).match(message)):
        return "OSError", "cannot open shared object file", (("library", found["library"]),), True
    if last == "SSLCertVerificationError" or "CERTIFICATE_VERIFY_FAILED" in message:
        return "ssl.SSLCertVerificationError", "", _untrusted(message), True
    if underneath := _underneath(last, message):
        return underneath, "", _service(message), True
    if last in ("CalledProcessError", "TimeoutExpired") and (found := pattern_of(_RAN).match(message)):
        return name, f"Command {found['how']}", _program(found), False
    if "validation error" in message and (found := pattern_of(_INVALID).match(message)):
        return name, "validation error", (("field", found["field"]), ("kind", found["kind"])), False
    return None


def _of_the_system(raised: Raised) -> tuple[str, str, Decides, bool]:
    words = _errno_words(raised.message)
    if program := _not_started(raised):
        return f"{raised.type}: program", words, program, True
    return raised.type, words, _missing_file(raised.message), True


def _untrusted(message: str) -> Decides:
    """Why a certificate is not trusted: one that has expired wants another fix than one that nobody knows."""
    found = pattern_of(_REASON).search(message)
    return (("reason", found["reason"].replace("self signed", "self-signed")),) if found else ()


def _program(ran: Match[str]) -> Decides:
    """Which command failed, and which of its commands: that some command did says nothing."""
    words = [word.strip("',") for word in (ran["words"] or ran["line"]).split()][:8]
    while len(words) > 1 and ("=" in words[0] or words[0] in ("sudo", "env")):
        del words[0]
    program = pattern_of(r"(?<=[a-z])[\d.]+$").sub("", words[0].rpartition("/")[2]) if words else ""
    at = 2 if words[1:2] == ["-m"] else 1
    more = [word for word in words[at : at + 1] if pattern_of(_SUBCOMMAND).match(word)]
    return (("command", " ".join([program, *more])[:80]),) if is_name(program) else ()


def _not_started(raised: Raised) -> Decides:
    """A program that is missing is no file that is."""
    if raised.where != "_execute_child" and not raised.file.endswith("/subprocess.py"):
        return ()
    found = pattern_of(r"'([^']{1,300})'").search(raised.message)
    program = found[1].rpartition("/")[2] if found else ""
    return (("program", program if is_name(program) else ""),)


def _underneath(last: str, message: str) -> str:
    if last.endswith(_QUOTING) or last == "OSError":
        for text, underneath in _UNDERNEATH:
            if text in message:
                return underneath
    return ""


_SERVICES = (
    ("connection to server ", "postgres"),
    ("rror 111 connecting to ", "redis"),
    ("MySQL server", "mysql"),
    ("MariaDB server", "mysql"),
    ("ServerSelectionTimeout", "mongo"),
)
"""Who is not there, where its driver says so: to start one is not to start another."""


def _service(message: str) -> Decides:
    for said, service in _SERVICES:
        if said in message:
            return (("service", service),)
    return ()


def _rank(raised: Raised, rank: int) -> int:
    """A program that exits says little; a warning that nobody raised is only a warning."""
    if raised.type == "SystemExit":
        return max(rank, SECOND)
    return WARNING if raised.type.endswith("Warning") and rank == ROOT and not raised.file else rank


def _errno_words(message: str) -> str:
    """`[Errno 2] No such file or directory: '/a/b'` → its words: where is not why."""
    found = pattern_of(r"\[(?:Errno|WinError) -?\d+\] ([^:'\"]{1,80})").match(message)
    return found[1].strip() if found else ""


def _missing_file(message: str) -> Decides:
    found = pattern_of(r"No such file or directory: '(?P<path>[^']+)'").search(message)
    kind, name = told("file", found["path"]) if found else ("", "")
    return ((kind, name),) if name else ()


def _asserted(raised: Raised) -> Decides:
    """An assertion is known by its words, or by what it asserts; the test decides where it is one."""
    return (("test", raised.where),) if raised.where.startswith("test") else ()


def _said(last: str, message: str) -> Decides:
    for ending, pattern in _SAID:
        if last.endswith(ending) and (found := pattern_of(pattern).search(message)):
            return tuple((name, value.strip("'\"")) for name, value in found.groupdict().items() if value)
    return ()
