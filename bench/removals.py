"""Prints random removals from the recorded sessions with what stands around them, for a person to judge: those from
tool outputs first, the rest of NUMBER from everything else.

python -m bench.removals [NUMBER] [SEED]

Nothing of this is kept: the outputs belong to others. What was judged is summed up in docs/experiments.md.
"""

from __future__ import annotations

import random
import sys

from bench.redaction import everything_else, tool_outputs
from engrain.redact.engine import spans


def main(number: int = 100, seed: int = 1) -> None:
    """Each as rule, text before, what would go, text after."""
    draw = random.Random(seed)
    outputs = [(span, text) for text in tool_outputs() for span in spans(text)]
    chosen = draw.sample(outputs, min(number, len(outputs)))
    if len(chosen) < number:
        others = [(span, text) for text in dict.fromkeys(everything_else()) for span in spans(text)]
        chosen += draw.sample(others, min(number - len(chosen), len(others)))
    print(f"{len(outputs)} removals in tool outputs")
    for place, (span, text) in enumerate(chosen, 1):
        before, after = text[max(0, span.start - 60) : span.start], text[span.end : span.end + 25]
        print(f"{place:>3} {span.rule:<16} {before!r} »{text[span.start : span.end][:80]!r}« {after!r}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
