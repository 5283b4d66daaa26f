#!/usr/bin/env python3
"""An include never points up, and nobody includes another file's code.

Usage: layers.py ROOT. Prints each violation as FILE:LINE: why, and exits 1 if there is one.
"""

import re
import sys
from pathlib import Path

FLOORS = {"base": 0, "crypto": 1, "pki": 2, "tls": 3, "net": 4, "apps": 5}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def floor_of_file(path):
    """The floor that a file (relative to the root) stands on."""
    if path.parts[0] == "src":
        return FLOORS.get(path.parts[1])
    if path.parts[:2] == ("include", "tenon"):
        return FLOORS.get(path.stem)
    if path.parts[0] == "apps":
        return FLOORS["apps"]
    return None


def floor_of_include(name, root):
    """The floor that an include names; None for one that is not ours."""
    parts = Path(name).parts
    if parts[0] == "tenon":
        return FLOORS.get(Path(name).stem)
    if parts[0] in FLOORS and len(parts) > 1:
        return FLOORS[parts[0]]
    if (root / "apps" / name).is_file():
        return FLOORS["apps"]
    return None


def violations(root):
    files = [p for folder in ("src", "include", "apps") for p in sorted((root / folder).rglob("*"))]
    for file in files:
        path = file.relative_to(root)
        if file.suffix not in (".c", ".h", ".S") or not file.is_file():
            continue
        own = floor_of_file(path)
        if own is None:
            yield path, 1, "stands on no floor"
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, name = match.groups()
            if ".." in Path(name).parts:
                yield path, number, f"includes {name} by a relative path"
                continue
            floor = floor_of_include(name, root)
            if floor is not None and floor > own:
                yield path, number, f"includes {name}, which is on a higher floor"
            if quote == '"' and Path(name).suffix == ".c":
                yield path, number, f"includes {name}: code, not a header"


def main(argv):
    found = list(violations(Path(argv[1]).resolve()))
    for path, number, why in found:
        print(f"{path}:{number}: {why}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
