"""git and gh."""

from __future__ import annotations

from tests.recorded.record.case import Case

_WHO = "git config user.name '@user' && git config user.email @user@example.com"
_INIT = f"git init -q -b main . && {_WHO}"
_ONE = f"{_INIT} && echo @n > @thing.txt && git add -A && git commit -qm 'add @thing'"
_REMOTE = (
    f"git init -q --bare -b main /tmp/@thing.git && {_ONE} && git remote add origin /tmp/@thing.git && git push "
    "-q -u origin main"
)
_BEHIND = (
    f"{_REMOTE} && git clone -q /tmp/@thing.git /tmp/other && (cd /tmp/other && {_WHO} && echo x > @other.txt "
    "&& git add -A && git commit -qm other && git push -q) && echo y >> @thing.txt && git commit -qam mine"
)
_CONFLICT = (
    f"{_ONE} && git switch -qc @branch && echo theirs > @thing.txt && git commit -qam theirs && git switch -q "
    "main && echo ours > @thing.txt && git commit -qam ours"
)


def _git(
    cause: str,
    family: str,
    setup: str,
    command: str,
    b_command: str = "",
    *,
    wraps: tuple[str, ...] = (),
    root: str = "",
) -> Case:
    return Case("git", f"git-{cause}", f"git-{family}", command, {}, b_command, setup=setup, wraps=wraps, root=root)


CASES = [
    _git(
        "not-a-repository",
        "not-a-repository",
        "",
        "git status",
        "git log --oneline -@n",
        wraps=("tty", "make", "npm", "ci", "xargs"),
    ),
    _git("merge-conflict", "conflict", _CONFLICT, "git merge @branch", "git merge --no-edit @branch"),
    _git("rebase-conflict", "conflict", _CONFLICT, "git rebase @branch"),
    _git("cherry-pick-conflict", "conflict", _CONFLICT, "git cherry-pick @branch"),
    _git(
        "stash-pop-conflict",
        "conflict",
        f"{_ONE} && echo a > @thing.txt && git stash -q && echo b > @thing.txt && git commit -qam b",
        "git stash pop",
    ),
    _git(
        "merge-would-overwrite",
        "would-overwrite",
        f"{_CONFLICT} && echo dirty > @thing.txt",
        "git merge @branch",
        wraps=("ci",),
    ),
    _git(
        "checkout-would-overwrite",
        "would-overwrite",
        f"{_CONFLICT} && echo dirty > @thing.txt",
        "git checkout @branch",
        "git switch @branch",
    ),
    _git(
        "untracked-would-overwrite",
        "would-overwrite",
        (
            f"{_ONE} && git switch -qc @branch && echo n > @other.txt && git add -A && git commit -qm n && git "
            "switch -q main && echo mine > @other.txt"
        ),
        "git merge @branch",
    ),
    _git(
        "unfinished-merge",
        "unfinished-merge",
        f"{_CONFLICT} ; git merge @branch",
        "git commit -m '@thing'",
        "git commit -m done",
    ),
    _git(
        "push-rejected-fetch-first",
        "push-rejected",
        _BEHIND,
        "git push",
        "git push origin main",
        wraps=("tty", "make", "ci"),
    ),
    _git(
        "push-rejected-non-fast-forward",
        "push-rejected",
        f"{_BEHIND} && git fetch -q",
        "git push",
        "git push origin main",
    ),
    _git("push-no-upstream", "no-upstream", f"{_REMOTE} && git switch -qc @branch", "git push", wraps=("xargs",)),
    _git("push-no-remote", "no-remote", _ONE, "git push", "git push --tags"),
    _git("push-refspec", "refspec", _REMOTE, "git push origin @branch"),
    _git(
        "push-hook-declined",
        "hook-declined",
        (
            f"{_REMOTE} && printf '#!/bin/sh\\necho no pushes to main >&2; exit 1\\n' > "
            "/tmp/@thing.git/hooks/pre-receive && chmod +x /tmp/@thing.git/hooks/pre-receive && git commit -q "
            "--allow-empty -m e"
        ),
        "git push",
    ),
    _git("push-protected-branch-delete-current", "push-rejected-remote", _REMOTE, "git push origin --delete main"),
    _git("pull-divergent", "divergent", _BEHIND, "git pull", "git pull origin main"),
    _git(
        "pull-unrelated-histories",
        "unrelated-histories",
        (
            f"{_REMOTE} && rm -rf .git && {_INIT} && git add -A && git commit -qm anew && git remote add origin "
            "/tmp/@thing.git"
        ),
        "git pull --no-rebase origin main",
    ),
    _git("pull-no-tracking", "no-tracking", f"{_REMOTE} && git switch -qc @branch", "git pull"),
    _git("pull-rebase-dirty", "dirty-tree", f"{_REMOTE} && echo dirty >> @thing.txt", "git pull --rebase"),
    _git("rebase-dirty", "dirty-tree", f"{_CONFLICT} && echo dirty >> @thing.txt", "git rebase @branch"),
    _git("pathspec", "pathspec", _ONE, "git checkout @branch", "git checkout -q @other"),
    _git("add-pathspec", "pathspec-add", _ONE, "git add @other.txt", "git add src/@other"),
    _git("switch-invalid-reference", "invalid-reference", _ONE, "git switch @branch"),
    _git("ambiguous-argument", "ambiguous-argument", _ONE, "git log @branch", "git diff main..@branch"),
    _git(
        "branch-exists",
        "branch-exists",
        f"{_ONE} && git branch @branch",
        "git branch @branch",
        "git checkout -b @branch",
    ),
    _git("branch-not-merged", "branch-not-merged", f"{_CONFLICT}", "git branch -d @branch"),
    _git("branch-delete-checked-out", "branch-in-use", f"{_ONE} && git switch -qc @branch", "git branch -D @branch"),
    _git("tag-exists", "tag-exists", f"{_ONE} && git tag v1.@n", "git tag v1.@n", "git tag -a v1.@n -m @thing"),
    _git("no-commits-yet", "no-commits", _INIT, "git log", "git log --oneline"),
    _git("nothing-to-commit", "nothing-to-commit", _ONE, "git commit -m '@verb @thing'", wraps=("make",)),
    _git("nothing-staged", "nothing-staged", f"{_ONE} && echo x >> @thing.txt", "git commit -m '@verb @thing'"),
    _git(
        "identity-unknown",
        "identity",
        "git init -q . && echo @n > @thing.txt && git add -A",
        "git commit -m '@thing'",
        wraps=("xargs",),
    ),
    _git(
        "dubious-ownership",
        "dubious-ownership",
        "",
        "git status",
        "git log",
        root="git init -q . && chown -R root:root .",
    ),
    _git(
        "clone-no-repository",
        "clone-not-found",
        "",
        "git clone /srv/git/@thing.git",
        "git clone /srv/git/@thing @other",
    ),
    _git(
        "clone-dns",
        "clone-dns",
        "",
        "git clone https://git.example.com/@user/@thing.git",
        "git clone https://code.example.org/team/@thing",
    ),
    _git("clone-refused", "clone-refused", "", "git clone http://127.0.0.1:60@m/@thing.git"),
    _git("clone-ssh-dns", "clone-ssh", "", "git clone git@git.example.com:@user/@thing.git"),
    _git(
        "clone-folder-not-empty",
        "clone-not-empty",
        _ONE + " && git clone -q . /tmp/source && mkdir @other && touch @other/x",
        "git clone /tmp/source @other",
    ),
    _git("index-lock", "index-lock", f"{_ONE} && touch .git/index.lock", "git add -A", "git commit -am x"),
    _git(
        "hook-pre-commit-failed",
        "hook-failed",
        (
            f"{_ONE} && printf '#!/bin/sh\\necho lint failed >&2; exit 1\\n' > .git/hooks/pre-commit && chmod "
            "+x .git/hooks/pre-commit && echo z >> @thing.txt"
        ),
        "git commit -am '@verb'",
    ),
    _git(
        "apply-patch-failed",
        "apply-failed",
        (
            f"{_ONE} && printf 'diff --git a/@thing.txt b/@thing.txt\\n--- a/@thing.txt\\n+++ b/@thing.txt\\n@@ "
            "-1 +1 @@\\n-absent\\n+new\\n' > fix.patch"
        ),
        "git apply fix.patch",
    ),
    _git(
        "apply-corrupt-patch",
        "apply-corrupt",
        f"{_ONE} && printf 'diff --git a/x b/x\\n--- a/x\\n+++ b/x\\n@@ -1,@n +1 @@\\n-absent\\n' > fix.patch",
        "git apply fix.patch",
    ),
    _git("unknown-command", "unknown-command", _ONE, "git comit -m '@thing'", "git comit"),
    _git("unknown-option", "usage", _ONE, "git status --brnch"),
    _git(
        "worktree-already-checked-out",
        "worktree",
        _ONE,
        "git worktree add ../@other main",
        "git worktree add /tmp/@other main",
    ),
    _git(
        "remote-exists",
        "remote-exists",
        _REMOTE,
        "git remote add origin /tmp/@other.git",
        "git remote add origin https://git.example.com/@thing.git",
    ),
    _git(
        "no-such-remote",
        "no-such-remote",
        _ONE,
        "git remote remove upstream",
        "git remote set-url upstream /tmp/@thing.git",
    ),
    _git("fetch-no-such-remote", "fetch-no-remote", _ONE, "git fetch upstream", "git fetch upstream main"),
    _git("stash-nothing", "stash-nothing", _ONE, "git stash pop", "git stash apply"),
    _git(
        "bad-object",
        "bad-object",
        _ONE,
        "git cat-file -p 4b825dc642cb6eb9a060e54bf8d69288fbee49@m",
        "git cat-file -p deadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    ),
    _git(
        "submodule-not-mapped",
        "submodule",
        f"{_ONE} && git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),libs/@other && git commit -qm sub",
        "git submodule update --init",
    ),
    _git("shallow-unknown-revision", "ambiguous-argument", _ONE, "git diff HEAD~@n"),
    _git("config-syntax", "bad-config", f"{_ONE} && printf '[user\\nname=@n' >> .git/config", "git status"),
    Case(
        "gh",
        "gh-not-logged-in",
        "gh-auth",
        "gh pr list",
        b_command="gh issue list --repo @user/@thing",
        setup=_ONE,
        wraps=("make",),
    ),
    Case("gh", "gh-unknown-command", "gh-usage", "gh prs list", b_command="gh prs"),
    Case(
        "gh",
        "gh-not-a-repository",
        "gh-not-a-repository",
        "GH_TOKEN=none gh pr status",
        b_command="GH_TOKEN=none gh pr view @n",
    ),
    Case(
        "gh",
        "gh-unreachable",
        "gh-unreachable",
        "GH_TOKEN=none gh api user",
        b_command="GH_TOKEN=none gh repo view @user/@thing",
    ),
]
