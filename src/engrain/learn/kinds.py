"""What kind of task it is, and which area of the repository: what is said first, then words, then paths. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engrain.patterns import compiled

UNKNOWN_TYPE = "unknown"


class Kind(NamedTuple):
    """A kind of task, the words that ask for it, and the paths that are all it touches."""

    name: str
    asks: str
    paths: str = ""


_TESTS = (
    r"(?:^|/)(?:tests?|spec|specs|__tests__|e2e)/|(?:^|/)(?:test_[^/]*|conftest)\.py$"
    r"|_test\.(?:py|go|rb|c|cc|cpp)$|\.(?:test|spec)\.[cm]?[jt]sx?$"
)
_LOCKS = (
    r"(?:^|/)(?:package(?:-lock)?\.json|requirements[^/]*\.txt|poetry\.lock|Cargo\.(?:toml|lock)|go\.(?:mod|sum)"
    r"|uv\.lock)$"
)

# In the order in which they are tried: what is rarer and says more comes first.
KINDS = (
    Kind("security",
         r"vulnerab\w*|security|secure\b|cve-\d+|xss|csrf|injection|sanitis?z?e\w*|throttl\w+|brute.?force"),
    Kind("performance",
         r"slow\w*|fast\w*|quick\w*|speed\w*|perf\w*|latency|optimi[sz]\w*|memory usage|throughput|n\+1"),
    Kind("release", r"release\b|publish\w*|bump version|changelog|tag v?\d"),
    Kind("revert", r"revert\w*|roll ?back\w*|undo\b"),
    Kind("docs", r"docs?\b|document\w*|readme|docstrings?|comments?\b|typos?\b",
         r"\.(?:md|rst|txt|adoc)$|(?:^|/)docs?/"),
    Kind("ci", r"ci\b|pipelines?|github actions?|workflows?\b|build server|shard\w*",
         r"(?:^|/)\.github/workflows/|\.gitlab-ci|Jenkinsfile|\.circleci/"),
    Kind("test",
         r"(?:add|write|extend|cover|more|missing|unit|integration|regression|flaky)\b[^.\n]{0,40}\b(?:tests?|specs?"
         r"|coverage)|tests? for|test coverage", _TESTS),
    Kind("refactor",
         r"refactor\w*|renam\w+|extract\w*|restructur\w*|clean ?up|simplif\w*|dedup\w*|split\b[^.\n]{0,40}\binto"
         r"|move\b|reorgani[sz]\w*|migrat\w+"),
    Kind("dependencies", r"upgrade\w*|bump\w*|dependenc\w+|update\b[^.\n]{0,30}\b(?:packages?|versions?|librar\w+)",
         _LOCKS),
    Kind("bugfix",
         r"fix\w*|bugs?\b|broken|breaks?\b|crash\w*|fail(?:s|ed|ing|ure)?\b|\w*errors?\b|\w*exceptions?\b|traceback"
         r"|regression|wrong\w*|incorrect\w*|doesn'?t work|does not|should not|can'?t\b|unexpected\w*|issue\b|leak\w*"
         r"|rais(?:es|ed|ing)\b"),
    Kind("feature",
         r"add\w*|implement\w*|support\w*|creat\w+|introduc\w+|allow\w*|enable\w*|new\b|build\b|expose\w*|make\b"
         r"|provid\w+"),
)  # fmt: skip


def type_of(said: str, paths: Sequence[str] = ()) -> str:
    """The kind of a task: by what alone it touched, by its first words, by all of them; else unknown."""
    for kind in KINDS:
        if kind.paths and paths and all(compiled(kind.paths).search(path) for path in paths):
            return kind.name
    lines = [line for line in map(str.strip, said[:2000].splitlines()) if line and line[-1:] != ":"]
    # Of a long text nearly every kind has some word: there only the most usual ones count.
    for text, kinds in ((" ".join(lines[:1])[:300], KINDS), (" ".join(lines)[:1000], KINDS[-2:])):
        for kind in kinds:
            if compiled(rf"(?i)\b(?:{kind.asks})").search(text):
                return kind.name
    return UNKNOWN_TYPE


def is_test(path: str) -> bool:
    """Whether a file holds tests."""
    return compiled(_TESTS).search(path) is not None


def entry_of(modified: Sequence[tuple[str, int]]) -> str:
    """Where the work is: of (path, how often it was changed), in their order, the code that was changed most."""
    code = [each for each in modified if not is_test(each[0])] or list(modified)
    return max(code, key=lambda each: each[1])[0] if code else ""


def area_of(paths: Sequence[str]) -> str:
    """The part of the repository that most of these files lie in, two folders deep at most."""
    code = [path for path in paths if not is_test(path)] or list(paths)
    folders = Counter("/".join(path.split("/")[:-1][:2]) for path in code if path[:1] not in "/~")
    if not folders:
        return ""
    place, _ = min(folders.items(), key=lambda pair: (-pair[1], pair[0]))
    return place
