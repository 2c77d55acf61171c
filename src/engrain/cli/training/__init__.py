"""`engrain train`: the group, and its commands by what they are about.

rows        data, audit, rows, recipe: what is trained
adapter     lora, evaluate: an adapter and the gates
answering   serve, chat: a model that answers
runs        what the journal tells of all that
options     what these share
"""

from __future__ import annotations

import click

from engrain.cli.training import adapter, answering, exporting, rows, runs


@click.group("train")
def command() -> None:
    """From what agents did here to an adapter of a local model, behind gates.

    `data` makes rows of recorded sessions, `audit` looks at every one of them, `lora` trains an adapter, `evaluate`
    asks it beside its base (and the adapter in use) at places that it never saw, `export` makes a model of it that
    others can run, `serve` has that answer, `chat` talks with it. A stage that fails says no and exits 1. Needs the
    extra `train`; nothing is downloaded, nothing leaves this machine.

    \b
    Examples:
      engrain train data --base ~/models/Qwen3-4B rows
      engrain train audit --base ~/models/Qwen3-4B rows
      engrain train lora --base ~/models/Qwen3-4B rows run
      engrain train evaluate --base ~/models/Qwen3-4B rows run --incumbent last
      engrain train export --base ~/models/Qwen3-4B run shop-model
      engrain train install shop-model --to lm-studio
      engrain train runs
    """


for _each in (
    rows.data, rows.audit, adapter.lora, adapter.evaluate, exporting.export, exporting.verify, exporting.install,
    answering.serve, answering.chat, rows.rows, rows.recipe_command, runs.runs,
):  # fmt: skip
    command.add_command(_each)
