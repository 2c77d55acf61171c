"""Package managers of operating systems: apt, dpkg, dnf, apk, pacman, Homebrew."""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import NOISE, SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row("apt", "Unable to locate package", r"E: Unable to locate package (?P<package>\S+)", "no such package", says=""),
    row(
        "apt",
        "has no installation candidate",
        r"E: Package '(?P<package>[^']+)' has no installation candidate",
        "no such package",
        says="",
    ),
    row(
        "apt",
        "Could not open lock file",
        r"E: (?P<message>Could not open lock file) .*?\((?P<why>\d+: [\w ]+)\)",
        "lock",
        says="",
    ),
    row("apt", "Could not get lock", r"E: (?P<message>Could not get lock)", "lock", says=""),
    row("apt", "unmet dependencies", r"(?P<message>unmet dependencies)", "unmet dependencies", SECOND, says=""),
    row("apt", "Failed to fetch", r"^(?:E|Err|W): Failed to fetch \S+ +(?P<message>.*)", "failed to fetch"),
    row("apt", "is not signed", r"E: (?P<message>The repository '.*' is not signed)", "not signed", says=""),
    row("apt", "dpkg was interrupted", r"(?P<message>dpkg was interrupted)", "dpkg interrupted", says=""),
    row("apt", "W: ", r"^W: (?P<message>.*)", "warning", NOISE),
    row("apt", "E: ", r"^E: (?P<message>.*)"),
    row("dpkg", "dpkg: error", r"^dpkg: error[^:]*: (?P<message>.*)"),
    row("dnf", "No match for argument", r"No match for argument: (?P<package>\S+)", "no such package", says=""),
    row("dnf", "Unable to find a match", r"Unable to find a match: (?P<package>\S+)", "no such package", says=""),
    row("yum", "No package ", r"^No package (?P<package>\S+) available", "no such package", says=""),
    row(
        "apk",
        "unable to select packages",
        r"^ERROR: (?P<message>unable to select packages)",
        "no such package",
        SECOND,
        says="",
    ),
    row("apk", "(no such package)", r"^\s*(?P<package>[\w.+-]+) \(no such package\)", "no such package", says=""),
    row("pacman", "target not found", r"error: target not found: (?P<package>\S+)", "no such package", says=""),
    row(
        "brew",
        "No available formula",
        r"No available formula (?:or cask )?with the name \"(?P<package>[^\"]+)\"",
        "no such package",
        says="",
    ),
    row(
        "brew",
        "No formulae or casks found",
        r"No formulae or casks found for \"?(?P<package>[\w@./-]+)",
        "no such package",
        says="",
    ),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of system package managers."""
    return scan(ROWS, text, words)
