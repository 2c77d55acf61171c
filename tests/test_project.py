"""Project identity: the same repository is the same project, however it was reached. Real git makes the checkouts."""

from __future__ import annotations

import os
import subprocess

import pytest

from engrain.project import identify, normalised


def git(folder: str, *words: str) -> str:
    settings = ["-c", "user.name=Dana", "-c", "user.email=dana@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", folder, *settings, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def repository(folder: str, *, remote: str = "", commit: bool = False) -> str:
    os.makedirs(folder)
    git(folder, "init", "-q")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    if commit:
        git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


SAME = [
    "git@github.com:Acme/Shop.git",
    "https://github.com/acme/shop",
    "https://github.com/acme/shop.git/",
    "https://dana:token@github.com/acme/shop.git",
    "ssh://git@github.com:22/acme/shop.git",
    "ssh://git@ssh.github.com:443/acme/shop",
    "git://github.com/acme/shop.git",
    "github.com:acme/shop.git",
]


@pytest.mark.parametrize("remote", SAME)
def test_every_spelling_of_a_remote_is_one_project(remote: str) -> None:
    assert normalised(remote) == "github.com/acme/shop"


REMOTES = [
    ("git@ssh.dev.azure.com:v3/acme/store/shop", "dev.azure.com/acme/store/_git/shop"),
    ("https://acme@dev.azure.com/acme/store/_git/shop", "dev.azure.com/acme/store/_git/shop"),
    ("https://[::1]:8080/shop.git", "[::1]/shop"),
    ("git@host:~dana/shop.git", "host/~dana/shop"),
    ("/srv/git/shop.git", "/srv/git/shop"),
    ("file:///srv/git/shop.git", "/srv/git/shop"),
    ("file://localhost/srv/git/shop", "/srv/git/shop"),
    ("../shop.git", "/a/shop"),
]


@pytest.mark.parametrize(("remote", "place"), REMOTES)
def test_other_remotes(remote: str, place: str) -> None:
    assert normalised(remote, "/a/b") == place


def test_clones_over_ssh_and_https_are_one_project(tmp_path: object) -> None:
    one = repository(f"{tmp_path}/one", remote="git@example.com:acme/shop.git")
    other = repository(f"{tmp_path}/other", remote="https://example.com/acme/shop")
    assert identify(one).id == identify(other).id
    assert identify(one).name == "shop"
    assert identify(one).because == "the remote example.com/acme/shop"


def test_a_folder_below_and_a_link_are_the_same_project(tmp_path: object) -> None:
    top = repository(f"{tmp_path}/shop", commit=True)
    os.makedirs(f"{top}/src/deep")
    os.symlink(top, f"{tmp_path}/link")
    assert identify(f"{top}/src/deep").id == identify(top).id == identify(f"{tmp_path}/link").id
    assert identify(f"{top}/src/deep").root == os.path.realpath(top)


def test_without_a_remote_the_root_commit_tells(tmp_path: object) -> None:
    one = repository(f"{tmp_path}/one", commit=True)
    git(str(tmp_path), "clone", "-q", "--no-hardlinks", one, "clone")
    git(f"{tmp_path}/clone", "remote", "remove", "origin")
    assert identify(one).id == identify(f"{tmp_path}/clone").id
    assert identify(one).because.startswith("the root commit")


def test_a_worktree_is_its_repository_with_tags(tmp_path: object) -> None:
    top = repository(f"{tmp_path}/shop", remote="git@example.com:acme/shop.git", commit=True)
    git(top, "worktree", "add", "-q", "-b", "feature/x", f"{tmp_path}/tree")
    here, there = identify(top), identify(f"{tmp_path}/tree")
    assert here.id == there.id
    assert (here.branch, here.worktree) == ("main", "")
    assert (there.branch, there.worktree) == ("feature/x", "tree")


def test_a_submodule_is_a_project_of_its_own(tmp_path: object) -> None:
    inner = repository(f"{tmp_path}/inner", commit=True)
    outer = repository(f"{tmp_path}/outer", commit=True)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib")
    assert identify(f"{outer}/lib").id != identify(outer).id


def test_a_detached_head_is_tagged_with_its_commit(tmp_path: object) -> None:
    top = repository(f"{tmp_path}/shop", commit=True)
    commit = git(top, "rev-parse", "HEAD")
    git(top, "checkout", "-q", "--detach")
    assert identify(top).branch == commit[:12]


def test_a_repository_without_commit_and_a_plain_folder_are_their_folder(tmp_path: object) -> None:
    empty = repository(f"{tmp_path}/empty")
    assert identify(empty).because == "the folder: no remote, no commit"
    assert identify(str(tmp_path)).because == "the folder: no git here"
    assert identify(f"{tmp_path}/gone").name == "gone"


def test_git_s_own_variables_do_not_mislead(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = repository(f"{tmp_path}/one", commit=True), repository(f"{tmp_path}/other", commit=True)
    before = identify(one).id
    monkeypatch.setenv("GIT_DIR", f"{other}/.git")
    monkeypatch.setenv("GIT_WORK_TREE", other)
    assert identify(one).id == before


def test_without_git_on_the_path_a_project_is_still_found(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    top = repository(f"{tmp_path}/shop", remote="git@example.com:acme/shop.git", commit=True)
    before = identify(top).id
    monkeypatch.setenv("PATH", "")
    assert identify(top).id == before
