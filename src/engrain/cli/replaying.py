"""A replay as one page that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from engrain.cli.output import plural, when
from engrain.cli.replay import HEADS, LABEL, SAYS, deeds, lasted, row
from engrain.recall.told import one_line

if TYPE_CHECKING:
    from engrain.upkeep.replay import Moment, Replayed

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --good: #2a8a4a; --beside: #b06a10 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
.label { display: inline-block; padding: .1rem .5rem; border: 1px solid var(--beside); color: var(--beside);
  border-radius: .3rem; font-weight: 600; letter-spacing: .05em }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; margin: 1.2rem 0 }
.figures div { flex: 1 1 9rem; padding: .7rem .9rem; background: var(--soft); border-radius: .4rem }
.figures dt { font-size: .85rem; opacity: .8 } .figures dd { margin: 0; font-size: 1.5rem; font-weight: 600 }
table { border-collapse: collapse; width: 100% } .wide { overflow-x: auto }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child, td:first-child { text-align: left }
article { margin: 1rem 0; padding: .7rem .9rem; border-left: 3px solid var(--line); background: var(--soft) }
article.useful { border-color: var(--good) } article.beside { border-color: var(--beside) }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap }
article dl { display: grid; grid-template-columns: 5rem 1fr; gap: .15rem .6rem; margin: .4rem 0 0 }
article dt { opacity: .75 } article dd { margin: 0 } small { opacity: .75 }
"""

VERDICTS = (
    ("useful", "Useful", "A step that memory would have shown is among what was done until the command passed."),
    ("beside", "Beside", "Memory would have said something else than what was done. It may yet have been right."),
)


def written(played: Replayed, examples: int) -> str:
    """The page."""
    total = played.total
    parts = [
        f"<h1>Replay <span class=label>{LABEL}</span></h1>",
        f"<p>{_safe(plural(played.sessions, 'session'))}, {_safe(plural(total.failures, 'failure'))}: {_safe(SAYS)}.",
        "An agent that is told goes another way, so these are no measured figures.</p>",
        f"<dl class=figures>{''.join(_figure(*each) for each in _figures(played))}</dl>",
        "<h2>By toolchain</h2>",
        f"<div class=wide><table><thead><tr>{_cells('th', HEADS)}</tr></thead><tbody>",
        *(f"<tr>{_cells('td', row(each))}</tr>" for each in (total, *played.toolchains)),
        "</tbody></table></div>",
    ]
    for verdict, title, says in VERDICTS:
        found = played.examples(verdict, examples)
        parts += [f"<h2>{title}</h2><p>{says}</p>", *map(_article, found)] if found else []
    return _PAGE.format(style=STYLE, body="\n".join(parts))


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Engrain: replay (simulated)</title><style>{style}</style></head><body><main>
{body}
</main></body></html>
"""


def _figures(played: Replayed) -> list[tuple[str, str]]:
    total = played.total
    silent = 100 * total.new_silent / total.new if total.new else 100.0
    return [
        ("answered", f"{total.answered:,} of {total.failures:,}"),
        ("useful, of what could be learned from", f"{100 * total.share:.0f} %"),
        ("useful, of answers that can be judged", f"{100 * total.precision:.0f} %"),
        ("silent, where the failure was new", f"{silent:.0f} %"),
        ("between useful answers and the end", f"{plural(total.calls, 'call')}, {lasted(total.seconds)}"),
    ]


def _figure(name: str, value: str) -> str:
    return f"<div><dt>{_safe(name)}</dt><dd>{_safe(value)}</dd></div>"


def _cells(kind: str, values: tuple[str | int, ...]) -> str:
    return "".join(f"<{kind}>{_safe(f'{each:,}' if isinstance(each, int) else each)}</{kind}>" for each in values)


def _article(each: Moment) -> str:
    rows = [("memory", one_line(step, 300)) for step in each.steps[:4]]
    rows += [("", f"{each.match}, {each.because}")]
    rows += [("done", one_line(deed, 300)) for deed in deeds(each)[:4]]
    listed = "".join(f"<dt>{_safe(name)}</dt><dd><code>{_safe(text)}</code></dd>" for name, text in rows)
    return (
        f"<article class={_safe(each.verdict)}><small>{_safe(when(each.time))} · {_safe(each.toolchain)}</small>"
        f"<br><code>$ {_safe(one_line(each.command, 300))}</code><br>{_safe(one_line(each.message, 300))}"
        f"<dl>{listed}</dl></article>"
    )


def _safe(text: str) -> str:
    return html.escape(one_line(text, 2000), quote=True)
