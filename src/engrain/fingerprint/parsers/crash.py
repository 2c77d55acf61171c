"""Programs that die: sanitizers, fuzzers, signals, failed assertions, the allocator's complaints, backtraces, the
kernel.

What decides is the kind of crash and the first functions of the stack that are the program's own: addresses, sizes and
lines are different in the next build.
"""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.model import ROOT, SECOND, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row(
        "assert",
        "Assertion",
        r"^(?:\S+: )?(?P<file>[^\s:]+):\d+:(?: (?P<_func>.+?):)? [Aa]ssertion [`'‘]?(?P<assertion>.+?)['’]? failed\.?",
        "assertion failed",
        says="",
    ),
    row(
        "assert",
        "Assertion failed",
        r"Assertion failed: \(?(?P<assertion>.+?)\)?, (?:function|file) ",
        "assertion failed",
        says="",
    ),
    row("assert", "CSA_DCHECK failed", r"CSA_DCHECK failed: (?P<assertion>.+?)(?: \[|$)", "check failed", says=""),
    row("assert", " failed: ", r"\bD?(?:[Cc]heck|CHECK) failed: (?P<assertion>.+?)\.? *$", "check failed", says=""),
    row("assert", "assert failure", r"assert failure: (?P<assertion>.+?)\.?$", "assertion failed", says=""),
    row(
        "assert",
        " failure: ",
        r"[Aa]ssertion failure: (?P<assertion>.+?)(?:, at |$)",
        "assertion failed",
        says="",
    ),
    row("assert", "ASSERT FAILED", r"\bASSERT FAILED: (?P<assertion>.+?)\.?$", "assertion failed", says=""),
    row("assert", "panic: not reached", r"panic: (?P<assertion>not reached)", "assertion failed", says=""),
    row("log", ":FATAL:", r"^\[[\d:/.]+:FATAL:(?P<file>[\w./]+)\(\d+\)\] (?P<message>.+)", "fatal"),
    row("glibc", "double free", r"(?P<code>double free(?: or corruption)?)"),
    row("glibc", "free(): ", r"(?P<code>free\(\): invalid (?:pointer|size|next size))"),
    row("glibc", "malloc", r"^(?:\S+: )?(?P<code>malloc(?:\(\)|_consolidate\(\)|\.c)?: [\w ()-]+)"),
    row(
        "glibc", "corrupted ", r"(?P<code>corrupted (?:size vs\. prev_size|double-linked list|unsorted chunks)[\w ()]*)"
    ),
    row("glibc", "realloc(): ", r"(?P<code>realloc\(\): [\w ]+)"),
    row("glibc", "stack smashing", r"(?P<code>stack smashing detected)"),
    row("glibc", "buffer overflow detected", r"(?P<code>buffer overflow detected)"),
    row("glibc", "pure virtual method", r"(?P<code>pure virtual method called)"),
    row(
        "loader",
        "error while loading shared libraries",
        r"error while loading shared libraries: (?P<library>[\w.+-]+): (?P<message>[\w ]+)",
        "shared library",
    ),
    row("loader", "Library not loaded", r"Library not loaded: \S*?(?P<library>[\w.+-]+)$", "shared library"),
    row(
        "loader",
        "symbol lookup error",
        r"symbol lookup error: .*?undefined symbol: (?P<symbol>\w+)",
        "undefined symbol",
        says="",
    ),
    row(
        "loader",
        "not found (required by",
        r"version [`'](?P<version_wanted>[\w.]+)' not found",
        "version not found",
        says="",
    ),
    row("kernel", "BUG: ", r"\bBUG: (?:KASAN|KMSAN|KCSAN|KFENCE|unable to handle).*", "kernel"),
    row("valgrind", "Invalid read", r"==\d+== (?P<code>Invalid read)"),
    row("valgrind", "Invalid write", r"==\d+== (?P<code>Invalid write)"),
    row(
        "valgrind",
        "uninitialised",
        r"==\d+== (?P<code>Conditional jump or move depends on uninitialised value|Use of uninitialised value)",
    ),
    row("valgrind", "definitely lost", r"==\d+== +(?P<code>definitely lost): [1-9]"),
    row("signal", "Program received signal", r"Program received signal (?P<code>SIG\w+)"),
    row("signal", "Program terminated with signal", r"Program terminated with signal (?P<code>SIG\w+)"),
    row("signal", " fault", r"\b(?P<_code>[Ss]egmentation fault)", "Segmentation fault", says=""),
    row("signal", "Bus error", r"\b(?P<code>Bus error)"),
    row("signal", "Illegal instruction", r"\b(?P<code>Illegal instruction)"),
    row(
        "signal",
        " point exception",
        r"\b(?P<_code>[Ff]loating point exception)",
        "Floating point exception",
        says="",
    ),
    row("signal", "Aborted", r"(?:^|: |\d )Aborted(?: \(core dumped\)| {2,}\S.*)?$", "Aborted", SECOND, says=""),
    row("signal", ": abort", r": abort {2,}\S.*$", "Aborted", SECOND, says=""),
    row(
        "signal",
        "SIG",
        r"(?:signal: \d+, |terminated by signal |killed by |exited with signal |Terminated by "
        r")(?P<code>SIG(?:SEGV|ABRT|BUS|ILL|FPE|TRAP))",
        rank=SECOND,
    ),
)

_GLOG = r"(?m)^F\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?P<file>[\w./-]+):\d+\] (?P<message>.+)$"
_SANITIZER = (
    r"(?m)^.{0,80}?(?:(?:ERROR|WARNING): ?(?P<tool>\w+Sanitizer): (?P<kind>.{1,400})"
    r"|\b(?P<fuzz>libFuzzer): (?P<what>[\w -]+?)(?: \(.*| after .*)?)$"
)
_RUNTIME = r"(?m)^(?P<file>[^\s:]+):\d+(?::\d+)?: runtime error: (?P<message>.*)$"
_TERMINATE = (
    r"terminate called (?:after throwing an instance of '(?P<type>[^']+)'|without an active "
    r"exception)(?:\n *what\(\): *(?P<message>.*))?"
)
_FRAME = r"(?m)^[ \t]{0,12}(?:\[\S+\] )?#\d{1,3}\s+(?:0x[0-9a-fA-F]+:? )?(?:in )?(?P<function>\S.{0,1500}?)$"
_KERNEL = r"(?m)^(?: |\[[ \d.]+\] ?)*(?:\[<[0-9a-f]+>\] )?(?:\? )?(?P<function>[a-z_]\w+)\+0x[0-9a-f]+/0x[0-9a-f]+"
_NOT_OURS = (
    r"(?i)^(?:__|_start\b|_exit\b|raise\b|abort\b|gsignal\b|kill\b|std::|operator|libc|ld-|fuzzer::"
    r"|llvmfuzzer|\?\?|<unknown|<null|\(|\[|/|base::debug|logging::|"
    r"v8::base::OS|v8_fatal|wtfcrash|rust_panic|core::(?:panicking|result|option|ops)|alloc::"
    r"|backtrace|void std::|bool std::|void\* std|unlink_chunk|_int_|sysmalloc|"
    r"mem(?:cpy|set|move|cmp)|str(?:len|cpy|cmp|ncpy|cat|dup)|malloc|free|calloc|realloc|printf"
    r"|v?s?n?printf|asan_|sanitizer|ubsan|pthread|start_thread|clone|"
    r"dump_stack|kasan|check_memory|report|print_|panic|die\b|oops|main$|syz|ret_from|entry_"
    r"|do_syscall|runtime\.|checkfailed|_gnu_cxx|syscall|unwind|handle_)"
)
FRAMES = 3


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of crashes."""
    frames: tuple[tuple[str, str], ...] | None = None
    for each in scan(ROWS, text, words):
        if each.toolchain in ("kernel", "log") or (each.toolchain == "assert" and not each.decides):
            yield each._replace(decides=each.decides + _frames(text, each.at), message=_kernel_words(each.message))
        else:
            yield each
    if text.startswith("F") or "\nF" in text:
        for match in pattern_of(_GLOG).finditer(text):
            yield diagnostic(
                "log", "fatal", match["message"], _frames(text, match.end()), file=match["file"], at=match.start()
            )
    if "Sanitizer" in text or "libFuzzer" in text:
        yield from _sanitizers(text)
    if "runtime error: " in text:
        for match in pattern_of(_RUNTIME).finditer(text):
            yield diagnostic("sanitizer", "undefined behaviour", match["message"], file=match["file"], at=match.start())
    if "terminate called" in text:
        for match in pattern_of(_TERMINATE).finditer(text):
            yield diagnostic("c++", match["type"] or "terminate", match["message"] or "", at=match.start())
    if "#0 " in text and "Sanitizer" not in text and (found := pattern_of(_FRAME).search(text)):
        frames = _frames(text, found.start())
        if frames and "#1 " in text:
            yield diagnostic("backtrace", "crash", "", frames, rank=ROOT, at=found.start(), settled=True)


def _sanitizers(text: str) -> Iterator[Diagnostic]:
    for match in pattern_of(_SANITIZER).finditer(text):
        tool = match["tool"] or match["fuzz"]
        kind = match["kind"] or match["what"] or ""
        name = _kind(kind)
        access = ""
        below = text[match.end() : match.end() + 400]
        if found := pattern_of(r"\b(READ|WRITE)\b(?: of size (\d+)| memory access)").search(below):
            access = found[1] + (f" {found[2]}" if found[2] else "")
        if found := pattern_of(r"address points to the zero page").search(below):
            name = f"{name} null"
        follows = name in ("ABRT", "TRAP", "ILL", "deadly signal")
        yield diagnostic(
            "sanitizer",
            f"{tool}: {name}",
            access,
            _frames(text, match.end()),
            rank=SECOND if follows and _has_better(text, match.start()) else ROOT,
            at=match.start(),
            settled=True,
        )
        return


def _has_better(text: str, before: int) -> bool:
    """A signal that a check raised: the check says more."""
    said = text[max(0, before - 20_000) : before]
    return any(
        tell in said
        for tell in ("heck failed", "CHECK failed", "panicked at", "ssertion", "Fatal error", "runtime error")
    )


def _kind(kind: str) -> str:
    """`heap-use-after-free on address 0x…` → `heap-use-after-free`."""
    kind = pattern_of(r" (?:on|in|at|\(pid|of size|allocation|size)\b|: |\(").split(kind)[0]
    return kind.strip(" .")[:60]


def _frames(text: str, at: int) -> tuple[tuple[str, str], ...]:
    """The first functions of the stack that are the program's own."""
    names: list[str] = []
    spent = text[at : at + 60_000]
    for pattern in (_FRAME, _KERNEL):
        last = at
        for match in pattern_of(pattern).finditer(spent):
            if names and match.start() - last > 2000 and pattern is _FRAME:
                break
            last = match.end()
            name = _function(match["function"])
            if name and not pattern_of(_NOT_OURS).match(name):
                names.append(name)
                if len(names) == FRAMES:
                    break
        if names:
            break
    return tuple((f"frame{index}", name) for index, name in enumerate(names))


def _function(frame: str) -> str:
    """The name in a frame, without its arguments and its place."""
    frame = frame.replace("(anonymous namespace)", "<anonymous>")
    if frame.startswith(("0x", "(")):
        return ""
    name = pattern_of(r"(?<!operator)\(| at (?=\S)| /| [\w./-]+:\d+| in (?=[/\w])").split(frame, maxsplit=1)[0]
    return name.strip()[:200]


def _kernel_words(message: str) -> str:
    return pattern_of(r"(?: at addr| by task|\+0x).*").sub("", message)
