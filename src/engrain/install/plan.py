"""The plan: which agents, where → what is to become of which file, and what is left alone for which reason.

Nothing is written here; what a plan says is shown as it is and done by `ledger.apply`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from engrain.errors import BadInput
from engrain.install import ledger, settings, texts, wiring
from engrain.install.ledger import Change
from engrain.install.wiring import FILE, GUIDE, HOOKS, JSON, LOCAL, MARKDOWN, PROJECT, SERVER, USER, Agent, Part
from engrain.paths import Home

EVERYTHING = (HOOKS, SERVER, GUIDE)


class Plan(NamedTuple):
    """Changes, and why other files are left as they are."""

    changes: tuple[Change, ...]
    refused: tuple[str, ...]


def checked_root(root: str, user: str) -> str:
    """The same folder, or BadInput where no repository may be wired."""
    real = os.path.realpath(root)
    if real in (os.path.realpath(user), os.sep):
        raise BadInput(
            f"{root} is no repository but your home folder; `engrain install --global AGENT` wires your own settings"
            if real != os.sep
            else "this is the root of the file system; go to a repository"
        )
    inside = f"{real}{os.sep}".split(f"{os.sep}.git{os.sep}")[0] != f"{real}{os.sep}"
    if inside or all(os.path.exists(os.path.join(real, name)) for name in ("HEAD", "objects", "refs")):
        raise BadInput(f"{root} is git's own folder, with no files to work on; nothing was changed")
    return root


def for_repository(
    root: str, agents: Sequence[Agent], level: str = PROJECT, has: tuple[str, ...] = EVERYTHING
) -> list[Part]:
    """What is written into a repository."""
    found = [part for of in agents for part in wiring.parts(of, level, root, has=has)]
    if level == PROJECT and os.path.exists(os.path.join(root, ".git")):
        found += wiring.repository(root)
    return _once(found)


def for_user(
    agents: Sequence[Agent], user: str, environ: Mapping[str, str], has: tuple[str, ...] = EVERYTHING
) -> list[Part]:
    """What is written into one's own settings."""
    folders = [(of, wiring.folder(of, user, environ)) for of in agents]
    return _once(part for of, folder in folders for part in wiring.parts(of, USER, folder, has=has))


def _once(parts: Iterable[Part]) -> list[Part]:
    """Every file once, though agents share it, or a link leads from one to the other."""
    found: dict[str, Part] = {}
    for part in parts:
        real = os.path.realpath(part.path)
        same = found.get(real)
        if same is None:
            found[real] = part
        elif same.form == part.form == JSON:
            more = tuple(entry for entry in part.entries if entry not in same.entries)
            found[real] = same._replace(entries=same.entries + more)
    return [part for part in found.values() if not _told_elsewhere(part, found)]


def _told_elsewhere(part: Part, found: Mapping[str, Part]) -> bool:
    """Whether a guide takes in another one that has our block."""
    if part.form != MARKDOWN or os.path.basename(part.path) == "AGENTS.md":
        return False
    beside = os.path.realpath(os.path.join(os.path.dirname(part.path), "AGENTS.md"))
    try:
        with open(part.path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in file.read(1_000_000).splitlines()]
    except OSError:
        return False
    return beside in found and any(line in ("@AGENTS.md", "@./AGENTS.md") for line in lines)


def putting(home: Home, parts: Iterable[Part]) -> Plan:
    """What wires these files."""
    changes, refused = [], []
    for part in parts:
        try:
            changes.append(ledger.putting(home, part))
        except BadInput as exc:
            refused.append(str(exc))
    return Plan(tuple(changes), tuple(refused))


def taking(home: Home, parts: Iterable[Part], paths: Iterable[str] = ()) -> Plan:
    """What unwires these files, and others that the ledger knows."""
    forms = {os.path.realpath(part.path): part for part in parts if _within(part)}
    changes, refused = [], []
    for path in sorted({*forms, *paths}):
        part = forms.get(path)
        try:
            changes.append(ledger.taking(home, path, part.form if part else "", part.root if part else ""))
        except BadInput as exc:
            refused.append(str(exc))
    return Plan(tuple(changes), tuple(refused))


def _within(part: Part) -> bool:
    try:
        ledger.real(part)
    except BadInput:
        return False
    return True


def hooked(parts: Iterable[Part]) -> dict[str, list[str]]:
    """The files that run our hooks, by agent: entries in settings, or files of ours."""
    found: dict[str, list[str]] = {}
    for part in parts:
        if part.form in (JSON, FILE) and part.agent and _runs(part):
            found.setdefault(part.agent, []).append(part.path)
    return found


def _runs(part: Part) -> bool:
    try:
        with open(part.path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except OSError:
        return False
    return texts.whole(text) if part.form == FILE else bool(settings.wired(text))


def known(home: Home, root: str = "", agents: Sequence[Agent] = ()) -> list[str]:
    """The files that the ledger knows: of a repository, of agents, or all of them."""
    names = {of.name for of in agents}
    real = os.path.realpath(root) if root else ""
    return [
        path
        for path, note in ledger.notes(home).items()
        if (not real or path.startswith(f"{real}{os.sep}")) and (not names or note.get("agent") in names)
    ]


def repositories(home: Home) -> list[str]:
    """Every repository that was wired from here."""
    return sorted({note["root"] for note in ledger.notes(home).values() if note.get("root")})


def running(home: Home) -> dict[str, list[str]]:
    """The files, wherever they were written from here, that run our hooks now, by agent."""
    notes = ledger.notes(home).items()
    return hooked(Part(path, str(note["form"]), root=note["root"], agent=note["agent"]) for path, note in notes)


__all__ = [
    "EVERYTHING", "FILE", "LOCAL", "PROJECT", "USER", "Plan", "checked_root", "for_repository", "for_user", "hooked",
    "known", "putting", "repositories", "running", "taking",
]  # fmt: skip
