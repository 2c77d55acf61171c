"""git, gh, Mercurial, Subversion, and the hooks that run before a commit."""

from __future__ import annotations

from engrain.fingerprint.rows import row, scan, table
from engrain.model import NOISE, SECOND, WRAPPER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from engrain.model import Diagnostic

ROWS = table(
    row("git", "not a git repository", r"(?P<message>not a git repository)", "not a repository", says=""),
    # `git add` misses a file; a checkout misses a branch or a file that git knows.
    row("git", "pathspec", r"pathspec '(?P<_path>[^']+)' did not match any files$", "no such file", says=""),
    row("git", "pathspec", r"pathspec '(?P<_path>[^']+)' did not match any", "pathspec", says=""),
    row("git", "ambiguous argument", r"ambiguous argument '(?P<_revision>[^']+)'", "unknown revision", says=""),
    row("git", "bad revision '", r"bad revision '(?P<_revision>[^']+)'", "unknown revision", says=""),
    row("git", "unknown revision or ", r"(?P<message>unknown revision or path)", "unknown revision", says=""),
    row("git", " a valid object name", r"[Nn]ot a valid object name:?", "unknown revision", says=""),
    row("git", "invalid reference: ", r"invalid reference: (?P<_ref>\S+)", "invalid reference", says=""),
    row(
        "git",
        "because you have unmerged files",
        r"(?P<message>because you have unmerged files)",
        "unmerged files",
        says="",
    ),
    row("git", "CONFLICT", r"^CONFLICT \((?P<kind>[\w/ -]+)\)", "merge conflict", says=""),
    row("git", "Automatic merge failed", r"(?P<message>Automatic merge failed)", "merge conflict", SECOND, says=""),
    row("git", "non-fast-forward", r"! \[rejected\].*\((?P<why>non-fast-forward)\)", "push rejected", says=""),
    row("git", "! [rejected]", r"! \[rejected\].*\((?P<why>[\w -]+)\)", "push rejected", says=""),
    row("git", "! [remote rejected]", r"! \[remote rejected\].*\((?P<why>[^()]{1,300})\)", "push rejected", says=""),
    row("git", "failed to push some refs", r"error: failed to push some refs", "push failed", WRAPPER, says=""),
    row(
        "git",
        "would be overwritten by",
        r"(?P<what>local changes|untracked working tree files).*would be overwritten by (?P<by>\w+)",
        "would be overwritten",
        says="",
    ),
    row(
        "git",
        "Please commit your changes or stash them",
        r"(?P<message>Please commit your changes or stash them)",
        "would be overwritten",
        SECOND,
        says="",
    ),
    row("git", "patch does not apply", r"error: .*(?P<message>patch does not apply)", "patch does not apply", says=""),
    row("git", "patch failed", r"error: (?P<message>patch failed): ", "patch does not apply", says=""),
    row("git", "corrupt patch", r"error: (?P<message>corrupt patch at line)", "corrupt patch", says=""),
    row("git", "No valid patches in input", r"error: (?P<message>No valid patches in input)", "corrupt patch", says=""),
    row("git", "index.lock'", r"Unable to create '[^']*index\.lock': (?P<why>File exists)", "index.lock", says=""),
    row(
        "git",
        "dubious ownership",
        r"(?P<message>detected dubious ownership in repository)",
        "dubious ownership",
        says="",
    ),
    row("git", "Authentication failed", r"(?P<message>Authentication failed for)", "authentication", says=""),
    row(
        "git",
        "could not read Username",
        r"(?P<message>could not read (?:Username|Password))",
        "no credentials",
        says="",
    ),
    row("git", "Permission denied (publickey", r"(?P<message>Permission denied \(publickey)", "no public key", says=""),
    row(
        "git",
        "Repository not found",
        r"(?P<message>[Rr]epository .*not found|Repository not found)",
        "repository not found",
        says="",
    ),
    row("git", "couldn't find remote ref", r"couldn't find remote ref (?P<_ref>\S+)", "no such ref", says=""),
    row(
        "git",
        "does not appear to be a git repository",
        r"(?P<message>does not appear to be a git repository)",
        "no such remote",
        says="",
    ),
    row("git", "No such remote", r"No such remote:? '?(?P<_remote>[\w-]+)", "no such remote", says=""),
    row(
        "git",
        "No configured push destination",
        r"(?P<message>No configured push destination)",
        "no push destination",
        says="",
    ),
    row(
        "git",
        "has no upstream branch",
        r"(?P<message>(?:[Tt]he current branch \S+ )?has no upstream branch)",
        "no upstream",
        says="",
    ),
    row(
        "git",
        "There is no tracking information",
        r"(?P<message>There is no tracking information)",
        "no tracking information",
        says="",
    ),
    row(
        "git",
        "refusing to merge unrelated histories",
        r"(?P<message>refusing to merge unrelated histories)",
        "unrelated histories",
        says="",
    ),
    row(
        "git",
        "Need to specify how to reconcile",
        r"(?P<message>Need to specify how to reconcile divergent branches)",
        "divergent",
        says="",
    ),
    row("git", "Please tell me who you are", r"(?P<message>Please tell me who you are)", "no identity", says=""),
    row("git", "empty ident name", r"(?P<message>empty ident name)", "no identity", says=""),
    row("git", "nothing to commit", r"^(?P<message>nothing to commit)", "nothing to commit", says=""),
    row("git", "no changes added to commit", r"^(?P<message>no changes added to commit)", "nothing staged", says=""),
    row("git", "nothing added to commit", r"^(?P<message>nothing added to commit)", "nothing staged", says=""),
    row(
        "git",
        "already exists",
        r"^fatal: (?:a |A )?(?P<what>branch|tag|remote|destination path|path)\b.*already exists",
        "already exists",
        says="",
    ),
    row("git", "to empty commit", r"^Aborting commit due to empty commit message", "empty message", says=""),
    row("git", 'by "git ', r"^You need to start by \"git bisect start\"", "no bisect", says=""),
    row("git", "is not fully merged", r"(?P<message>is not fully merged)", "not merged", says=""),
    row("git", "is not a git command", r"'(?P<command>[\w-]+)' is not a git command", "no such command", says=""),
    row("git", "unrelated", r"^fatal: (?P<message>refusing .*)"),
    row("git", "exceeds GitHub", r"(?P<message>exceeds GitHub's file size limit)", "file too large", says=""),
    row(
        "git",
        "error: unknown option",
        r"^error: unknown (?:option|switch) [`'](?P<option>[\w-]+)",
        "unknown option",
        says="",
    ),
    row("git", "No stash entries", r"^(?P<message>No stash entries found)", "no stash", says=""),
    row("git", "fatal: unable to access", r"^fatal: unable to access '[^']*': (?P<message>.*)", "unable to access"),
    row("git", "fatal: clone of", r"^fatal: clone of .* failed", "clone failed", WRAPPER, says=""),
    row(
        "git",
        "Could not read from remote repository",
        r"^fatal: Could not read from remote",
        "remote unreadable",
        SECOND,
        says="",
    ),
    row(
        "git",
        "is already used by worktree",
        r"^fatal: .*(?P<message>is already (?:used by|checked out at))",
        "worktree",
        says="",
    ),
    row("git", "RPC failed", r"^error: RPC failed; (?:result=\d+, )?(?P<message>.*)", "RPC failed"),
    row(
        "git",
        "hung up unexpectedly",
        r"^fatal: (?P<message>the remote end hung up) unexpectedly",
        "hung up",
        SECOND,
        says="",
    ),
    row("git", "fatal: early EOF", r"^fatal: (?P<message>early EOF)", "hung up", SECOND, says=""),
    row("git", "fatal: [", r"^fatal: \[(?P<_host>[^\]]+)\]: (?P<message>.*)", "ansible", NOISE),
    row("git", "fatal: ", r"^fatal: (?P<message>.*)"),
    # gh
    row("gh", "gh auth login", r"(?P<message>gh auth login)", "not logged in", says=""),
    row("gh", "no pull requests found", r"(?P<message>no pull requests found for branch)", "no pull request", says=""),
    row("gh", "GraphQL: ", r"^GraphQL: (?P<message>.*)", "GraphQL"),
    row("gh", "HTTP 4", r"^gh: (?P<message>.*?) \(HTTP (?P<status>\d{3})\)", "HTTP"),
    row("gh", "HTTP 4", r"^HTTP (?P<status>\d{3}): (?P<message>.*?) \(", "HTTP"),
    row("gh", 'unknown command "', r"unknown command \"(?P<command>[^\"]+)\" for \"gh", "unknown command", says=""),
    row(
        "gh",
        "must first push the current branch",
        r"(?P<message>must first push the current branch)",
        "not pushed",
        says="",
    ),
    # pre-commit
    row("pre-commit", "- hook id: ", r"^- hook id: (?P<hook>[\w-]+)", "hook failed", WRAPPER, says=""),
    row("pre-commit", "is not a valid", r"^(?P<code>InvalidConfigError|InvalidManifestError)"),
    row(
        "pre-commit",
        "No .pre-commit-config.yaml",
        r"(?P<message>No \.pre-commit-config\.yaml file was found)",
        "no configuration",
        says="",
    ),
    # others
    row("hg", "abort: ", r"^abort: (?P<message>.*)"),
    row("svn", "svn: E", r"^svn: (?P<code>E\d+): (?P<message>.*)"),
)


def find(text: str, words: Set[str]) -> Iterator[Diagnostic]:
    """Diagnostics of version control."""
    for each in scan(ROWS, text, words):
        yield _during(each, words) if each.type == "merge conflict" else each


def _during(each: Diagnostic, words: Set[str]) -> Diagnostic:
    """What git was doing when it met the conflict, because each of them goes on in its own way."""
    doing = next((verb for verb in ("rebase", "stash", "cherry", "revert", "pull") if verb in words), "merge")
    return each._replace(decides=(*each.decides, ("during", doing)))
