"""What builds for the web: webpack, Vite, Rollup, esbuild, Parcel, Babel, Next.js."""

from __future__ import annotations

from engrain.fingerprint.rows import pattern_of, row, scan, table
from engrain.fingerprint.wording import is_name
from engrain.model import SECOND, WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row(
        "webpack",
        "Module not found",
        r"Module not found: (?:Error: )?Can't resolve '(?P<module>[^']+)'",
        "Module not found",
        says="Can't resolve <name>",
    ),
    row(
        "webpack",
        "Module parse failed",
        r"(?P<message>Module parse failed: .*?)(?: \(\d+:\d+\))?$",
        "Module parse failed",
    ),
    row("webpack", "Module build failed", r"(?P<message>Module build failed.*)", "Module build failed", SECOND),
    row(
        "webpack",
        "Invalid configuration object",
        r"(?P<message>Invalid configuration object\. Webpack .*)",
        "configuration",
    ),
    row(
        "webpack",
        "Entry module not found",
        r"Entry module not found: Error: Can't resolve '(?P<module>[^']+)'",
        "Module not found",
        says="Can't resolve <name>",
    ),
    row("webpack", "webpack", r"^webpack [\d.]+ compiled with \d+ errors?", "errors", WRAPPER),
    row(
        "vite",
        "Failed to resolve import",
        r"Failed to resolve import \"(?P<module>[^\"]+)\"",
        "Failed to resolve import",
        says="Failed to resolve import <name>",
    ),
    row("vite", "[plugin:", r"^\[plugin:(?P<plugin>[\w:@/-]+)\] (?P<message>.*)", "plugin error"),
    row("vite", "failed to load config", r"(?P<message>failed to load config) from", "configuration"),
    row("vite", "error during build", r"^error during build:(?P<message>.*)", "build failed", WRAPPER),
    row(
        "rollup",
        "Could not resolve",
        r"Could not resolve \"(?P<module>[^\"]+)\" from",
        "Could not resolve",
        says="Could not resolve <name>",
    ),
    row(
        "rollup",
        "failed to resolve import",
        r"failed to resolve import \"(?P<module>[^\"]+)\"",
        "Could not resolve",
        says="Could not resolve <name>",
    ),
    row(
        "rollup",
        "is not exported by",
        r"\"(?P<export>[\w$]+)\" is not exported by",
        "no such export",
        says="is not exported",
    ),
    row("rollup", "RollupError", r"RollupError: (?P<message>.*)", "RollupError"),
    row(
        "esbuild",
        "[ERROR]",
        r"✘ \[ERROR\] Could not resolve \"(?P<module>[^\"]+)\"",
        "Could not resolve",
        says="Could not resolve <name>",
    ),
    row("esbuild", "[ERROR]", r"✘ \[ERROR\] (?P<message>.*?)(?: \[[\w-]+\])?$"),
    row(
        "esbuild",
        ": ERROR: ",
        r"^(?P<file>\S+?\.(?:[cm]?[jt]sx?|css|json|html|vue|svelte)):\d+:\d+: ERROR: Could not "
        r"resolve \"(?P<module>[^\"]+)\"",
        "Could not resolve",
        says="Could not resolve <name>",
    ),
    row(
        "esbuild",
        ": ERROR: ",
        r"^(?P<file>\S+?\.(?:[cm]?[jt]sx?|css|json|html|vue|svelte)):\d+:\d+: ERROR: (?P<message>.*)",
    ),
    row("esbuild", "Build failed with", r"Build failed with \d+ errors?", "build failed", WRAPPER),
    row(
        "parcel",
        "Failed to resolve '",
        r"Failed to resolve '(?P<module>[^']+)' from",
        "Failed to resolve",
        says="Failed to resolve <name>",
    ),
    row("next", "Type error: ", r"^Type error: (?P<message>.*)", "Type error"),
    row("next", "Build error occurred", r"(?P<message>Build error occurred)", "build failed", WRAPPER),
    row("next", "Failed to compile", r"^\W*(?P<message>Failed to compile)\W*$", "build failed", WRAPPER),
    row("babel", "Cannot find preset", r"Cannot find (?:preset|plugin) '(?P<plugin>[^']+)'", "no such plugin"),
    row(
        "tailwind",
        "does not exist. If",
        r"(?P<message>The `(?P<class>[^`]+)` class does not exist)",
        "no such class",
        says="",
    ),
    row("postcss", "CssSyntaxError", r"(?P<code>CssSyntaxError): .*?: (?P<message>.*)"),
    row(
        "sass",
        "Error: ",
        r"^Error: (?P<message>(?:Undefined variable|Can't find stylesheet|expected|Undefined mixin"
        r"|Undefined function|Invalid CSS).*)",
        "sass",
    ),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of bundlers."""
    for each in scan(ROWS, text, words):
        yield each._replace(decides=_marked(text[each.at :])) if each.toolchain == "sass" else each


def _marked(text: str) -> tuple[tuple[str, str], ...]:
    """Sass draws what is missing: its name stands above the marks."""
    if found := pattern_of(r"\d+ │(?P<code>.*)\n +│(?P<marks> +)(?P<wide>\^+)").search(text[:2000]):
        start = len(found["marks"])
        name = found["code"][start : start + len(found["wide"])].rpartition(" ")[2].strip("\"';")
        return (("name", name),) if is_name(name) else ()
    return ()
