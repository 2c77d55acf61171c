"""One module per group of toolchains. Each has `find(text)`; most are tables of rows. `find.PARSERS` says when one is asked.

A parser yields what it sees, with a rank; it does not choose, and it knows nothing of the other parsers.
"""

from __future__ import annotations
