"""One plan in both formats, and what :mod:`benchmarks.plan_corpus` finds wrong with how they are read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plan import parse_plan, render

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(slots=True)
class Pair:
    """One plan in both formats."""

    major: str
    suite: str
    statement: str
    options: str
    exact: bool
    json: str
    text: str


def problems(pair: Pair) -> Iterator[tuple[str, str, str]]:
    """Return the problems of a pair: the kind of each, the expected value, the actual value."""
    try:
        from_json = parse_plan(pair.json, version=pair.major)
        from_text = parse_plan(pair.text, version=pair.major)
        for kind, plan in (("render", from_json), ("render without version", parse_plan(pair.json))):
            rendered = render(plan)
            if comparable(rendered, pair) != comparable(pair.text, pair):
                yield kind + lacking(rendered, pair), pair.text, rendered
        if pair.exact and from_json != from_text:
            yield "tree", from_json.text, from_text.text
        for kind, plan in (("text", from_text), ("text without version", parse_plan(pair.text))):
            rendered = render(plan)
            if rendered != pair.text:
                yield kind, pair.text, rendered
    except PgFeaturesError as error:
        yield "error", pair.text, str(error)
    except Exception as error:
        yield "crash", pair.text, repr(error)


LACKING = {
    " (0 rows removed)": re.compile(r"^ *Rows Removed by [\w ]+: (?:0|#)\n", re.MULTILINE),
    " (buffers of another run)": re.compile(
        r"^ *(?:Buffers|I/O Timings|WAL): .*\n|^Planning:\n", re.MULTILINE
    ),
    " (a trigger's relation)": re.compile(r"(?<=^Trigger )(.*?) on .*(?=: )", re.MULTILINE),
}
"""Facts that JSON lacks, or that differ between runs, and the text that depends on them: docs/plans.md."""


def lacking(rendered: str, pair: Pair) -> str:
    """Return the entry of :data:`LACKING` that explains the whole difference; empty if there is none."""
    texts = [comparable(text, pair) + "\n" for text in (rendered, pair.text)]
    for name, pattern in LACKING.items():
        rendered, expected = (
            pattern.sub(lambda found: found[1] if found.re.groups else "", text) for text in texts
        )
        if rendered == expected:
            return name
    return ""


def comparable(text: str, pair: Pair) -> str:
    """Return a plan's text without the parts that may differ between two runs."""
    return text if pair.exact else without_numbers(text)


def without_numbers(text: str) -> str:
    """Return a plan's text with the same sign for each number."""
    return _NUMBER.sub("#", text)
