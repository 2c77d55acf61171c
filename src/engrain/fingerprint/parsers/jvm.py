"""Java, Kotlin, Scala 2, Groovy: compilers, stack traces, Maven, Gradle, sbt, JUnit.

Of a stack trace the last `Caused by` is the root.
"""

from __future__ import annotations

from engrain.fingerprint.rows import lines_like, pattern_of, row, scan, table
from engrain.model import OUTER, ROOT, SECOND, WARNING, WRAPPER, diagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

_JAVA = r"^(?:\[ERROR\] )?(?P<file>[^\s:\[][^:\n\[]{0,300}\.(?:java|groovy)):(?:\d+: error:|\[\d+,\d+\](?: error:)?) "

ROWS = table(
    row("javac", "cannot find symbol", _JAVA + r"(?P<message>cannot find symbol)", "cannot find symbol"),
    row(
        "javac",
        " does not exist",
        _JAVA + r"package (?P<package>[\w.]+) does not exist",
        "package does not exist",
        says="",
    ),
    row(
        "javac",
        "() in ",
        _JAVA + r"\S+\(.*?\) in \S+ (?P<message>cannot (?:implement|override|hide)) \S+\(.*?\) in \S+",
    ),
    row("javac", ".java:", _JAVA + r"(?P<message>.*)"),
    row("javac", ".groovy:", _JAVA + r"(?P<message>.*)"),
    row("javac", ".java:", r"^(?P<file>\S+\.java):\d+: warning: (?P<message>.*)", "warning", WARNING),
    row(
        "javac",
        "error: ",
        r"^error: (?P<message>(?:file not found|invalid flag|release version|no source files|class .* "
        r"not found|Class names).*)",
    ),
    row("kotlin", "e: ", r"^e: (?:file://)?(?P<file>\S+?\.kts?):(?: ?\(?\d+[:,] ?\d+\)?:?) (?P<message>.*)"),
    row(
        "kotlin",
        "w: ",
        r"^w: (?:file://)?(?P<file>\S+?\.kts?):(?: ?\(?\d+[:,] ?\d+\)?:?) (?P<message>.*)",
        "warning",
        WARNING,
    ),
    row("kotlin", ".kt:", r"^(?P<file>\S+?\.kts?):\d+:\d+: error: (?P<message>.*)"),
    row("scala", ".scala:", r"^(?:\[error\] )?(?P<file>\S+?\.(?:scala|sc)):\d+(?::\d+)?: (?:error: )?(?P<message>.*)"),
    row(
        "java",
        "Could not find or load main class",
        r"Could not find or load main class (?P<class>\S+)",
        "no main class",
        says="",
    ),
    row("java", "Main method not found in class", r"^Error: Main method not found in class", "no main method", says=""),
    row("java", "no main manifest attribute", r"(?P<message>no main manifest attribute)", "no main class"),
    row("java", "Unable to access jarfile", r"(?P<message>Unable to access jarfile)", "no jar"),
    row("java", "Unrecognized option", r"^Unrecognized option: (?P<option>\S+)", "unrecognized option"),
    row(
        "java",
        "Error occurred during initialization",
        r"^Error occurred during initialization of (?P<message>.*)",
        "initialization",
    ),
    row(
        "java",
        "Could not create the Java Virtual Machine",
        r"Could not create the Java Virtual Machine",
        "no VM",
        WRAPPER,
    ),
    row("java", "UnsupportedClassVersionError", r"(?P<code>UnsupportedClassVersionError)"),
    # Maven
    row(
        "maven",
        "Could not find artifact",
        r"Could not find artifact (?P<artifact>[\w.-]+:[\w.-]+)",
        "no such artifact",
        says="",
    ),
    row(
        "maven",
        "Could not resolve dependencies",
        r"Could not resolve dependencies .*?(?:The following artifacts could not be resolved|Failure "
        r"to find|Failed to (?:read|collect)[\w ]*):? (?P<artifact>[\w.-]+:[\w.-]+)",
        "no such artifact",
        says="",
    ),
    row(
        "maven",
        "No plugin found for prefix",
        r"No plugin found for prefix '(?P<plugin>[^']+)'",
        "no such plugin",
        says="",
    ),
    row("maven", "Unknown lifecycle phase", r"Unknown lifecycle phase \"(?P<phase>[^\"]+)\"", "unknown phase", says=""),
    row("maven", "there is no POM", r"(?P<message>there is no POM)", "no POM", says=""),
    row("maven", "Non-resolvable parent POM", r"(?P<message>Non-resolvable parent POM)", "parent POM", says=""),
    row("maven", "Child module ", r"Child module \S+ of \S+ does not exist", "no such module", says=""),
    row("maven", "Non-parseable POM", r"(?P<message>Non-parseable POM)", "POM", says=""),
    row(
        "maven",
        "'dependencies.dependency.version'",
        r"(?P<message>'dependencies\.dependency\.version' for \S+ is missing)",
        "POM",
        says="version is missing",
    ),
    row(
        "maven",
        "invalid target release",
        r"(?:invalid target release|release version|Source option|Target option): ?(?P<release>\d+)?",
        "release",
    ),
    row(
        "maven",
        "[ERROR]",
        r"^\[ERROR\] +(?:\S+\.)?(?P<test>\w+)(?:\(.*\))?:?\d* .*?(?P<message>expected:? ?<.*)",
        "test failed",
    ),
    row("maven", "There are test failures", r"There are test failures", "test failed", SECOND, says=""),
    row(
        "maven",
        "Failed to execute goal",
        r"Failed to execute goal \S+?:(?P<_plugin>[\w-]+):[\w.-]+:(?P<goal>[\w-]+)",
        "goal failed",
        WRAPPER,
    ),
    row("maven", "BUILD FAILURE", r"BUILD FAILURE", "build failed", WRAPPER, says=""),
    # Gradle
    row("gradle", "' not found in ", r"^Task '(?P<task>[^']+)' not found in", "no such task", says=""),
    row(
        "gradle",
        "Cannot locate tasks that match",
        r"Cannot locate tasks that match '(?P<task>[^']+)'",
        "no such task",
        says="",
    ),
    row("gradle", "Could not find ", r"^ *> Could not find (?P<artifact>[\w.-]+:[\w.-]+)", "no such artifact", says=""),
    row(
        "gradle",
        "Could not resolve ",
        r"^ *> Could not resolve (?P<artifact>[\w.-]+:[\w.-]+)",
        "no such artifact",
        SECOND,
        says="",
    ),
    row("gradle", "Could not find method ", r"Could not find method (?P<method>\w+)\(", "no such method", says=""),
    row(
        "gradle",
        "Could not get unknown property",
        r"Could not get unknown property '(?P<property>[^']+)'",
        "unknown property",
        says="",
    ),
    row("gradle", "Plugin [id: ", r"Plugin \[id: '(?P<plugin>[^']+)'.* was not found", "no such plugin", says=""),
    row(
        "gradle",
        "does not contain a Gradle build",
        r"(?P<message>does not contain a Gradle build)",
        "no build",
        says="",
    ),
    row("gradle", " FAILED", r"^(?P<_suite>[\w.$]+) > (?P<test>[^>\n]+?)(?:\(\))? FAILED$", "test failed", says=""),
    row(
        "gradle",
        "Could not compile ",
        r"(?P<message>Could not compile (?:build|settings) file)",
        "build script",
        SECOND,
        says="",
    ),
    row(
        "gradle",
        "Compilation failed; see",
        r"Compilation (?:failed; see|error\. See)",
        "compilation failed",
        WRAPPER,
        says="",
    ),
    row("gradle", "There were failing tests", r"There were failing tests", "test failed", WRAPPER, says=""),
    row("gradle", "BUILD FAILED", r"^BUILD FAILED in ", "build failed", WRAPPER, says=""),
    row("sbt", "sbt.", r"\([^()]{0,200}\) (?P<message>sbt\.\S+: .*)", "build failed", WRAPPER, says=""),
    row(
        "sbt",
        "unresolved dependency",
        r"unresolved dependency: (?P<artifact>[\w.-]+#[\w.-]+)",
        "no such artifact",
        says="",
    ),
    row("sbt", "Not a valid command", r"\[error\] Not a valid command: (?P<command>\S+)", "no such command", says=""),
)

_THROWN = (
    r"(?m)\n(?P<lead>[ \t>]{0,12}(?:\[ERROR\] )?(?:Exception in thread \"[^\"\n]*\" |Caused by: "
    r"|Uncaught exception: |\* What went wrong:\n)?)"
    r"(?P<type>(?:[a-z]\w{0,40}\.){1,10}(?:[A-Z]\w{0,60}\$)?[A-Z][\w$]{0,80}(?:Exception|Error|Failure"
    r"|Failed|Throwable|Timeout|Violation|Problem))(?:: (?P<message>.*))?$"
)
_ROOTS = frozenset(("java", "javax", "kotlin", "scala", "org", "com", "jakarta", "android", "io"))
"""What the package of a class begins with, where no stack tells that it is one."""

_SYMBOL = r"(?:\[ERROR\] +| +)symbol: +(?P<kind>\w+) (?P<name>[\w$]+)"
_WRONG = r"(?m)^\* What went wrong:\n(?P<message>.*)(?:\n> (?P<cause>.*))?"


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of the JVM's tools."""
    for each in scan(ROWS, text, words):
        if each.type == "cannot find symbol":
            yield _symbol(text, each)
        else:
            yield each
    if "Exception" in text or "Error" in text or "Failure" in text:
        yield from _thrown(text, words)
    if "* What went wrong:" in text:
        for match in pattern_of(_WRONG).finditer(text):
            wrapper = match["message"].startswith("Execution failed for task")
            message = (match["cause"] or match["message"]) if wrapper else match["message"]
            yield diagnostic("gradle", "went wrong", message.strip(), rank=SECOND, at=match.start())


def _symbol(text: str, each: Diagnostic) -> Diagnostic:
    """javac names the missing symbol two lines below."""
    found = pattern_of(_SYMBOL).search(text[each.at : each.at + 1500])
    decides = ((found["kind"], found["name"]),) if found else ()
    return each._replace(message="cannot find symbol", decides=decides, settled=True)


def _thrown(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Exceptions with dotted names that begin in lower case and end in an exception's word; the last cause is the
    root."""
    first: Diagnostic | None = None
    cause: Diagnostic | None = None
    traced = "\tat " in text or 'in thread "' in text or "Caused by: " in text
    if not traced and words.isdisjoint(_ROOTS):
        return
    for match in lines_like(_THROWN, text):
        if not traced and match["type"].split(".", 1)[0] not in _ROOTS:
            continue
        each = _exception(match["type"], (match["message"] or "").strip(), match.start())
        if "Caused by" in match["lead"]:
            cause = each
        elif cause or first:
            break
        else:
            first = each
    if cause:
        yield cause._replace(at=first.at if first else cause.at)
        if first:
            yield first._replace(rank=OUTER)
    elif first:
        yield first


def _null_kind(what: str) -> str:
    """What was null: its name is another each time, its kind says where to look."""
    if what.startswith("the return value"):
        return "return value"
    name = what.strip('"')
    return "element" if "[" in name else "field" if "." in name else "variable"


def _exception(name: str, message: str, at: int) -> Diagnostic:
    decides: tuple[tuple[str, str], ...] = ()
    if name.endswith(("ClassNotFoundException", "NoClassDefFoundError")):
        decides, message = (("class", message.replace("/", ".").split(" ")[0]),), ""
    elif name.endswith("NullPointerException"):
        message, because = (
            pattern_of(r" because .*").sub("", message),
            pattern_of(r"because (?P<what>.*) is null").search(message),
        )
        decides = (("null", _null_kind(because["what"])),) if because else ()
    elif message.startswith("No enum constant "):
        message = "No enum constant <name>"
    elif name.endswith(("NoSuchMethodError", "NoSuchFieldError")):
        message = message.split("(")[0]
    settled = name.endswith(("NullPointerException", "ClassNotFoundException", "NoClassDefFoundError"))
    return diagnostic(
        "java",
        name,
        pattern_of(r" \(.* are in (?:unnamed )?module.*\)$").sub("", message),
        decides,
        rank=ROOT,
        at=at,
        settled=settled,
    )
