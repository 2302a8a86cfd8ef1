#!/usr/bin/env python3
"""Turns the table of expansions.md into rows for the lowering.

usage: expansions.py expansions.md OUTPUT
Each row becomes {"NAME", "TYPES", "once", "per component"} of a C++ array.
"""
import pathlib
import re
import sys


def rows(text):
    table = text.split("| instruction | types | once | per component |")[1].splitlines()[2:]
    for line in table:
        if not line.startswith("|"):
            return
        cells = [c.strip().strip("`").replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 4:
            sys.exit(f"expansions.py: four cells expected: {line}")
        yield cells


def main():
    source, output = map(pathlib.Path, sys.argv[1:3])
    text = "// Written by asm/expansions.py from asm/expansions.md.\n"
    text += "".join("{" + ", ".join(f'"{c}"' for c in row) + "},\n" for row in rows(source.read_text()))
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
