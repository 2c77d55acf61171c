"""`engrain report`."""

from __future__ import annotations

import click

from engrain.errors import BadInput, MissingExtra


@click.command("report")
@click.option("--html", "path", required=True, metavar="FILE", help="The file to write; - for standard output.")
def command(path: str) -> None:
    """Write the overview as one file that needs no server: to keep, or to send to somebody.

    It says what the overview page says, drawn, with nothing that is fetched and no script in it. Look at it before you
    send it: it names the failures that came most often, and the projects.

    \b
    Examples:
      engrain report --html memory.html
      engrain report --html - > memory.html
    """
    try:
        from engrain.web.report import html
    except ImportError as exc:
        raise MissingExtra("a report needs the extra: pip install 'engrain[server]'") from exc
    from engrain.memory import Memory

    with Memory.open() as memory:
        memory.catch_up()
        made = html(memory)
    if path == "-":
        click.echo(made)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(made)
    except OSError as exc:
        raise BadInput(f"can't write {path}: {(exc.strerror or str(exc)).lower()}") from exc
    click.echo(f"wrote {path}", err=True)
