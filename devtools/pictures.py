"""Draws the documentation's terminal pictures as SVG, from real runs, with rich.

``python -m devtools.pictures`` writes them to ``docs/pictures/``; ``make pictures`` runs it. It takes two minutes.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

PLACE = Path(__file__).parents[1] / "docs" / "pictures"
PROGRAMS = Path(sys.executable).parent
TIMEOUT = 600.0
"""The seconds that a command may run."""

_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_FONT_FAMILY = re.compile(r"font-family: Fira Code, monospace")
_MONOSPACE = "font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


@dataclass(frozen=True, slots=True)
class Picture:
    """A command and its output.

    Parameters:
        name: the name of the file in ``docs/pictures/``, without its suffix.
        command: the command, as a reader types it.
        files: the files in the directory where it runs.
        after: a regular expression; the picture starts with the first line that matches.
        before: a regular expression; the picture ends before the first line that matches. Empty for none.
        width: the terminal's width, in columns.
    """

    name: str
    command: str
    files: dict[str, str] = field(default_factory=dict)
    after: str = ""
    before: str = ""
    width: int = 90


TEST_OF_A_PLAN = """\
import pytest

from pytest_pgfeatures import explain, pinned

QUERY = "SELECT DISTINCT customer, total FROM orders"


def plan_of(server):
    with server.connect() as connection:
        connection.execute("CREATE TEMP TABLE orders (customer int, total int)")
        connection.execute("INSERT INTO orders SELECT n / 100, n FROM generate_series(1, 20000) n")
        connection.execute("CREATE INDEX orders_customer ON orders (customer)")
        with pinned(connection):
            return explain(connection, QUERY, settings={"enable_hashagg": "off", "enable_seqscan": "off"})


def test_the_plan_survives_the_upgrade(pg_pair):
    old, new = plan_of(pg_pair.old), plan_of(pg_pair.new)
    assert old.shape() == new.shape()
"""

STOCK = {
    "stock/stock--1.0.sql": "CREATE FUNCTION worth(amount int, price numeric) RETURNS numeric"
    " LANGUAGE sql IMMUTABLE AS 'SELECT amount * price';\n",
    "stock/stock--1.0--1.1.sql": "CREATE DOMAIN quantity AS int CHECK (VALUE >= 0);\n",
    "stock/stock--1.1.sql": "CREATE FUNCTION worth(amount int, price numeric) RETURNS numeric"
    " LANGUAGE sql IMMUTABLE AS 'SELECT amount * price';\n"
    "CREATE DOMAIN quantity AS int CHECK (VALUE >= 0);\n",
    "stock/stock.control": "default_version = '1.1'\n",
    "stock/Makefile": "EXTENSION = stock\nDATA = $(wildcard stock--*.sql)\nREGRESS = worth\n"
    "PG_CONFIG ?= pg_config\nPGXS := $(shell $(PG_CONFIG) --pgxs)\ninclude $(PGXS)\n",
    "stock/sql/worth.sql": "CREATE EXTENSION stock;\nSELECT worth(3, 1.50);\nSELECT worth(3, 0x10);\n",
    "stock/expected/worth.out": "CREATE EXTENSION stock;\nSELECT worth(3, 1.50);\n worth \n-------\n  4.50\n"
    "(1 row)\n\nSELECT worth(3, 0x10);\n worth \n-------\n    48\n(1 row)\n\n",
}

PICTURES = (
    Picture(
        "matrix",
        "pgfeatures verify --pg pypi:14..18 -k 'distinct-on or parallel-hash or any-value or hexadecimal-literals'",
        after="=+ behaviors =+",
        before="=+ [0-9]+ passed",  # the machine had other work, so the seconds would mislead
    ),
    Picture(
        "plan-diff",
        "pytest --pg 15,16 --tb=short test_plans.py",
        files={"test_plans.py": TEST_OF_A_PLAN},
        after="=+ FAILURES =+",
        before="-+ Server log",
        width=100,
    ),
    Picture(
        "extension",
        "pgfeatures extension stock --pg pypi:14..18 --mode copy",
        files=STOCK,
        after="regress on pg15",
        before="^seconds ",
    ),
)


def printed(picture: Picture) -> str:
    """Run a picture's command in a directory with its files, and return its output with the terminal's colors."""
    with tempfile.TemporaryDirectory(prefix="picture-") as place:
        top = Path(place)
        top.chmod(0o755)  # for the servers' user, if we are root
        for name, content in picture.files.items():
            path = top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        environment = os.environ | {
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": str(picture.width),
            "FORCE_COLOR": "1",
            "TTY_INTERACTIVE": "0",  # no progress bars, which a terminal would have erased
        }
        environment.pop("NO_COLOR", None)
        ended = subprocess.run(
            ["bash", "-c", picture.command],
            cwd=top,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    return ended.stdout


def drawn(picture: Picture, output: str) -> str:
    """Return the picture as SVG: the command, and its output below.

    Raises:
        ValueError: the command has no output to show.
    """
    lines = output.splitlines()
    starts = [number for number, line in enumerate(lines) if re.search(picture.after, line)]
    if picture.before:
        lines = [*itertools.takewhile(lambda line: not re.search(picture.before, line), lines), "[…]"]
    if not starts:
        raise ValueError(f"{picture.name}: no line of the output has {picture.after!r}:\n{output}")
    console = Console(record=True, width=picture.width, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "bold green"), (picture.command, "bold")))
    if starts[0]:
        console.print(Text("[…]", "dim"))
    console.print(Text.from_ansi("\n".join(lines[starts[0] :])), no_wrap=True, overflow="ellipsis")
    svg = console.export_svg(title="", unique_id=f"picture-{picture.name}")
    # The page must not fetch a font from elsewhere.
    return _FONT_FAMILY.sub(_MONOSPACE, _FONTS.sub("", svg))


def main() -> None:
    """Write all pictures."""
    PLACE.mkdir(exist_ok=True)
    for picture in PICTURES:
        svg = drawn(picture, printed(picture))
        (PLACE / f"{picture.name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
