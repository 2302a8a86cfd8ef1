#!/usr/bin/env python3
"""Turns the tables of expansions.md into rows for the lowering.

usage: expansions.py expansions.md OUTPUT
Each row becomes {"NAME", "TYPES", "once", "per component"} of a C++ array; types of the table of 64-bit instructions are in lower case.
The column `words` must say what the row costs: words once, plus words per written component.
"""
import pathlib
import re
import sys

HEADER = "| instruction | types | words | once | per component |"


def steps(text):
    return len([s for s in text.split(";") if s.strip()])


def cost(once, each):
    parts = [p.split(":", 1)[1] for p in each.split(" / ")] if ":" in each else [each]
    counts = [steps(p) for p in parts]
    low, high = min(counts), max(counts)
    per = str(low) if low == high else f"{low} to {high}"
    return f"{steps(once)} + {per}" if once else per


def rows(text):
    tables = text.split(HEADER)[1:]
    if len(tables) != 2:
        sys.exit("expansions.py: two tables expected")
    for table, wide in zip(tables, (False, True)):
        for line in table.splitlines()[2:]:
            if not line.startswith("|"):
                break
            cells = [c.strip().strip("`").replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            if len(cells) != 5:
                sys.exit(f"expansions.py: five cells expected: {line}")
            name, types, words, once, each = cells
            if words != cost(once, each):
                sys.exit(f"expansions.py: {name} {types} costs {cost(once, each)} words: {line}")
            yield name, types.lower() if wide else types, once, each


def main():
    source, output = map(pathlib.Path, sys.argv[1:3])
    text = "// Written by asm/expansions.py from asm/expansions.md.\n"
    text += "".join("{" + ", ".join(f'"{c}"' for c in row) + "},\n" for row in rows(source.read_text()))
    output.parent.mkdir(parents=True, exist_ok=True)
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
