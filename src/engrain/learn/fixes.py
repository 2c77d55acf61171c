"""What follows from teaching a fix, from serving it, from how it went, and from a failure: rows, each of one event."""

from __future__ import annotations

import json

from engrain.event import FAILURE, HELD, Event
from engrain.learn import recipe
from engrain.learn.belief import WEEK
from engrain.learn.broken import KEY, broken
from engrain.learn.here import BOTH, COMMAND, FILE, KIND, everywhere, keys_of
from engrain.learn.reading import count, items, text, words
from engrain.patterns import compiled
from engrain.store.tables import Row

SOURCES = ("taught", "mined", "imported")
PROVENANCES = ("explicit", "runtime_observed", "heuristic", "unknown")

MOST_OUTCOMES = 1_000_000
_NAMED = r"\{([a-z_]{1,40})\}"
_GOES = r"(?:in the command, `)?cd "
"""How a step leads into a folder: every project has its own."""

NAME, MESSAGE = 200, 400


def taught(event: Event) -> list[Row]:
    """A recipe under its fingerprint, and under its family where its steps name what varies."""
    steps = recipe.steps_of([step[: recipe.LONGEST_STEP] for step in items(event, "steps") if isinstance(step, str)])
    fingerprint, family = text(event, "fingerprint", NAME), text(event, "family", NAME)
    if not steps or not fingerprint or not family:
        return []
    parameters = words(event, "parameters")
    found = recipe.recipes(
        steps[: recipe.MOST_STEPS],
        fingerprint=fingerprint,
        family=family,
        through=text(event, "through", NAME),
        parameters=parameters,
    )
    edit = bool(text(event, "edited"))
    kept = () if edit else found
    return [
        *(Row("recipes", {**_about(event), **_of(event, each, parameters, found[-1])}) for each in kept),
        *_here(event, found[0], edit=edit),
        *_of_any_project(event, found[-1]),
        *_of_any_language(event, found[-1]),
    ]


def _of_any_project(event: Event, found: recipe.Recipe) -> list[Row]:
    """What helped against this kind of failure in the words of its tool alone may help in other projects, once it did
    so in several."""
    if text(event, "source") != "mined" or text(event, "how") not in ("corrected", "prepared") or found.wide:
        return []
    if any(compiled(_GOES).match(step) for step in found.steps):
        return []
    key = everywhere(text(event, "family", NAME))
    return [Row("recipes", {**_about(event), **_local(event, recipe.kept_under(key, found.steps))})]


def _of_any_language(event: Event, found: recipe.Recipe) -> list[Row]:
    """That a file which does not parse was taken back says nothing of its project or its language."""
    names = {name for step in found.steps for name in compiled(_NAMED).findall(step)}
    if text(event, "how") != "reverted" or names != {"file"} or not broken(text(event, "error_type")):
        return []
    return [Row("recipes", {**_about(event), **_local(event, recipe.kept_under(KEY, found.steps))})]


def _here(event: Event, found: recipe.Recipe, *, edit: bool) -> list[Row]:
    """What was mined is kept for the command that failed, too, but an edit for the same failure alone: another wants
    another change. In the project's own words, under keys of the project."""
    if text(event, "source") != "mined":
        return []
    # What names what varies is kept for its family already.
    general = any("{" in step for step in found.steps)
    kinds = {BOTH} if edit else {FILE, COMMAND} if general else {KIND, FILE, COMMAND}
    kept = [recipe.kept_under(key, found.steps) for key, kind in _keys(event).items() if kind in kinds]
    return [Row("recipes", {**_about(event), **_local(event, each)}) for each in kept]


def _keys(event: Event) -> dict[str, str]:
    names = ("fingerprint", "family", "toolchain")
    fingerprint, family, toolchain = (text(event, name, NAME) for name in names)
    return keys_of(event.project, fingerprint, family, toolchain, text(event, "command"), text(event, "file", NAME))


def _local(event: Event, each: recipe.Recipe) -> dict[str, str | int]:
    """No tool and no type: nothing that is like it elsewhere finds it."""
    names = {name: "" for step in each.steps for name in compiled(_NAMED).findall(step)}
    return {
        "fix": each.id,
        "key": each.key,
        "wide": int(each.wide),
        "through": "",
        "family": text(event, "family", NAME),
        "toolchain": "",
        "error_type": "",
        "steps": recipe.packed(each.steps),
        "parameters": json.dumps(names, sort_keys=True),
        "general": "",
    }


def lived(event: Event) -> list[Row]:
    """How often a failure comes is what a remedy is measured by."""
    keys = {kind: key for key, kind in _keys(event).items()}
    values = {name: text(event, name, NAME) for name in ("state", "fingerprint", "family")}
    where = {"command": keys.get(COMMAND, ""), "file": keys.get(FILE, "")}
    found = Row("episodes", {**values, **where, "time": event.time, "session": event.session})
    return [found, *_edited(event)]


def _edited(event: Event) -> list[Row]:
    """The files that were edited until the failure was gone, for the next failure of its command, file or kind."""
    files = [file[:NAME] for file in items(event, "edited")[: recipe.MOST_STEPS] if isinstance(file, str) and file]
    kept = []
    for key, kind in _keys(event).items():
        kept += [recipe.kept_under(key, (f"edit {file}",)) for file in files if kind in (FILE, COMMAND)]
    return [Row("recipes", {**_about(event), **_local(event, each), "mined": 1, "imported": 0}) for each in kept]


def _about(event: Event) -> dict[str, str | int]:
    """What a recipe says beside its steps."""
    source = text(event, "source")
    imported = source not in ("taught", "mined")
    return {
        "time": event.time,
        **{name: text(event, name, NAME) for name in ("toolchain", "error_type")},
        **{name: text(event, name, MESSAGE) for name in ("wording", "message")},
        **{name: text(event, name, recipe.MOST_TEXT) for name in ("cause", "example")},
        "told": int(bool(text(event, "cause") or text(event, "example"))),
        **{name: int(name == ("imported" if imported else source)) for name in SOURCES},
        **{name: count(event, name, MOST_OUTCOMES) if imported else 0 for name in ("worked", "failed")},
    }


def _of(event: Event, each: recipe.Recipe, parameters: dict[str, str], widest: recipe.Recipe) -> dict[str, str | int]:
    # Of a family only the names are the same each time.
    kept = dict.fromkeys(recipe.names_in(each.steps, parameters), "") if each.wide else parameters
    return {
        "fix": each.id,
        "key": each.key,
        "wide": int(each.wide),
        "through": "" if each.wide else text(event, "through", NAME),
        "family": text(event, "family", NAME),
        "steps": recipe.packed(each.steps),
        "parameters": json.dumps(kept, ensure_ascii=False, sort_keys=True),
        "general": widest.id if widest.wide else "",
    }


def went(event: Event) -> list[Row]:
    """An outcome counts for the recipe of that failure, and for the one of its family."""
    worked = event.body.get("worked")
    if not isinstance(worked, bool):
        return []
    provenance = text(event, "provenance")
    values = {
        "time": event.time,
        "week": event.time // WEEK,
        "provenance": provenance if provenance in PROVENANCES else "unknown",
        "worked": int(worked),
        "failed": int(not worked),
    }
    ids = dict.fromkeys(text(event, name, NAME) for name in ("fix", "general"))
    return [Row("outcomes", {"fix": fix, **values}) for fix in ids if fix]


def shown(event: Event) -> list[Row]:
    """Each fix that was shown, or would have been."""
    values = {
        "time": event.time,
        "held": int(event.kind == HELD),
        "failure": text(event, "of", NAME),
        **{name: text(event, name, NAME) for name in ("fingerprint", "command", "channel")},
    }
    rows: dict[str, dict[str, str | int]] = {}
    for place, each in enumerate(items(event, "fixes")[: recipe.MOST_STEPS]):
        if isinstance(each, dict) and isinstance(fix := each.get("fix"), str) and fix:
            rows.setdefault(fix[:NAME], {"place": place, "matched": str(each.get("match", ""))[:NAME]})
    return [Row("servings", {"fix": fix, **row, **values}) for fix, row in rows.items()]


def failed(event: Event) -> list[Row]:
    """The failure that was recognised when the command was recorded."""
    found = event.body.get(FAILURE)
    if not isinstance(found, dict) or not isinstance(found.get("fingerprint"), str):
        return []
    names = ("fingerprint", "family", "toolchain", "error_type", "message")
    said = {name: found.get(name, "") for name in names}
    return [Row("failures", {"time": event.time, **{k: str(v)[:MESSAGE] for k, v in said.items()}})]
