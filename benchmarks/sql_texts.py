"""The time to split texts into statements, for families of texts on which a careless scanner is slow.

``python -m benchmarks.sql_texts [MEGABYTES]`` prints a line for each family, with the time for half of the text and
for all of it: twice the text must take about twice the time.
"""

from __future__ import annotations

import sys
import time

from pytest_pgfeatures.sql import split

FAMILIES = {
    "statements": "SELECT a, 'b' FROM c WHERE d = 1;\n",
    "quotes": "'",
    "strings": "'a' ",
    "continued strings": "'a'\n",
    "escapes": "E'\\\\",
    "comments": "/*",
    "line comments": "--\n",
    "operators": "+",
    "operators and comments": "+*/",
    "digits": "1",
    "numbers": "1e5$",
    "dollars": "$a$ $b$ ",
    "parentheses": "(;",
    "commands": "\\a",
    "quoted arguments": "\\a 'b' ",
    "copies": "COPY t FROM stdin;",
    "copies and data": "COPY t FROM stdin;\n1\n\\.\n",
    "blanks": " \n",
    "colons": ":a:",
    "words": "begin end case ",
}


def seconds(text: str) -> float:
    """Return the time to split a text into all of its pieces."""
    begun = time.perf_counter()
    for _ in split(text):
        pass
    return time.perf_counter() - begun


def main() -> None:
    """Print the table."""
    size = int(float(sys.argv[1] if len(sys.argv) > 1 else 1) * 1_000_000)
    for name, part in FAMILIES.items():
        text = part * (size // len(part))
        half, whole = seconds(text[: size // 2]), seconds(text)
        print(f"{name:24} {half:8.2f} s {whole:8.2f} s {whole / half:6.1f}x")


if __name__ == "__main__":
    main()
