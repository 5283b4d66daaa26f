#!/usr/bin/env python3
"""No hand-written file is longer than one sitting: 600 lines. Tables (*_table.c, *_table.h) may be.

Usage: lengths.py ROOT. Prints each file that is too long, and exits 1 if there is one.
"""

import sys
from pathlib import Path

LIMIT = 600
FOLDERS = ("src", "include", "apps", "tests", "bench", "fuzz", "examples", "tools")


def violations(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".c", ".h", ".py") or file.stem.endswith("_table"):
                continue
            lines = len(file.read_bytes().splitlines())
            if lines > LIMIT:
                yield file.relative_to(root), lines


def main(argv):
    found = list(violations(Path(argv[1]).resolve()))
    for path, lines in found:
        print(f"{path}: {lines} lines, more than {LIMIT}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
