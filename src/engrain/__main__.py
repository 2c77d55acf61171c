"""`python -m engrain`."""

from __future__ import annotations

import sys

from engrain.cli import main

if __name__ == "__main__":
    sys.exit(main())
