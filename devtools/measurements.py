"""The page ``docs/measurements.md``: the documents' measurements, beside those of this project.

``python -m devtools.measurements FILE.json ...`` reads files of ``pgfeatures measure --json FILE.json``, prints
the page, and draws the plots into ``docs/measurements/``. ``make measurements`` runs both. Of several measurements
of an experiment, the one at the document's scale counts; the others show what the sizes change, and their A/A
controls count.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.json_values import from_plain
from pytest_pgfeatures.measure.model import file_name
from pytest_pgfeatures.measure.outcome import ClaimVerdict, Measured
from pytest_pgfeatures.measure.takes import takes
from pytest_pgfeatures.report.measure import (
    FORMAT,
    control_text,
    figure_text,
    interval_text,
    scaled_text,
    shown,
    takes_texts,
    verdict_text,
)
from pytest_pgfeatures.report.plots import draw_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.measure.outcome import Ratio

_FEW = 6
"""The number of the document's texts that fit below a table; more texts go into the table."""
PLOTS = Path(__file__).parents[1] / "docs" / "measurements"

VERDICTS = {
    ClaimVerdict.AS_DOCUMENTED: "the interval contains the document's figure, and not 1; or lies within the"
    " margin, if the document claims no difference",
    ClaimVerdict.DIRECTION: "the interval does not contain 1, and the size differs, or is not documented,"
    " or the builds of the sides differ",
    ClaimVerdict.UNDECIDED: "the interval contains 1, or an end of the margin",
    ClaimVerdict.OPPOSITE: "the interval is on the other side of 1, or outside of the margin",
}
NOT_RUNNABLE = (
    (
        "9.4 report, JSONB (3) and (4)",
        "The comparison with another database product: that product and its driver aren't in the package"
        " registries that servers come from. For PostgreSQL's side, `9.4/json-loading` loads a logged and"
        " an unlogged table with a GIN index.",
    ),
    (
        "9.4 report, all of it, on 9.4",
        "No source has a build of 9.4. The available build of 9.5 is compiled without optimization: it"
        " computes MD5 sums in three times the time of 9.3. So 9.3 is compared with 9.6.",
    ),
    (
        "16 report, the figures of XFS against ext4 in 4.1.4",
        "The file system depends on the machine. Point `PGFEATURES_RUN` at a directory on XFS or ext4, and"
        " run"
        " `pgfeatures measure -k concurrent-copy` again.",
    ),
    (
        "16 report, the sizes of all gzip levels in 4.4.3",
        "The report compares the sizes to find the default level. `16/pg-dump-levels` has each method's"
        " default and highest level, as the report's charts have.",
    ),
    (
        "17 article, the table of minima",
        "It has the same runs as the table of averages. In each row of `17/vacuum-time`, the document's"
        " figure is that of the averages, and its text has the minima.",
    ),
    (
        "17 article, its reading of rows 25, 29 and 33",
        "16 took longer with more memory if 3% of a large table were dead. That compares rows of one side,"
        " not sides: 16's times are in the rows 6.4GB and 3% of `17/vacuum-time`.",
    ),
)  # fmt: skip
"""Measurements of the documents that no experiment repeats, with the reason."""


def page(machine: Mapping[str, Any], found: Sequence[Measured], others: Sequence[Measured] = ()) -> str:
    """Return the page, in Markdown.

    Parameters:
        machine: where it was measured.
        found: the measurements to show.
        others: further measurements of the same experiments.
    """
    return "\n".join(_lines(machine, found, others)) + "\n"


def _lines(
    machine: Mapping[str, Any], found: Sequence[Measured], others: Sequence[Measured]
) -> Iterator[str]:
    yield "# Measurements"
    yield ""
    yield "<!-- Written by `make measurements` from a run of `pgfeatures measure`. Don't edit it. -->"
    yield ""
    yield "Each experiment compares sides, in rounds with servers of their own. The result is the ratio with"
    yield "its 95% interval, and a verdict on the document's claim:"
    yield ""
    yield from (f"- *{verdict}*: {text}" for verdict, text in VERDICTS.items())
    yield ""
    yield "A claim about several rows is judged once, by their geometric mean; several claims of one"
    yield "experiment are judged with Holm's correction for their number, and have wider intervals. Absolute times"
    yield "depend on the machine, and are not judged."
    yield ""
    yield "```console"
    yield "$ pgfeatures measure --list"
    yield "```"
    yield ""
    yield from _how_to(machine, found, others)
    yield from (
        "",
        '<div class="filter"></div>',
        "",
        "## Summary",
        "",
        "<!-- summary -->",
        f"| experiment | | {' | '.join(VERDICTS)} |",
        f"|---|---|{'---|' * len(VERDICTS)}",
    )
    for measured in found:
        counts = [str(measured.count(verdict) or "") for verdict in VERDICTS]
        yield f"| `{measured.id}` | {_cell(measured.title)} | {' | '.join(counts)} |"
    yield "<!-- end of the summary -->"
    limited = any(measured.scale == "document" for measured in found)
    for document in dict.fromkeys(_document(measured) for measured in found):
        yield from ("", f"## {document}")
        for measured in found:
            if _document(measured) == document:
                smaller = next((each for each in others if _is_smaller(each, measured)), None)
                yield from _experiment(measured, smaller, limited=limited)
    yield from ("", "## Not measured", "")
    yield from (f"- {what}: {why}" for what, why in NOT_RUNNABLE)


def _how_to(
    machine: Mapping[str, Any], found: Sequence[Measured], others: Sequence[Measured]
) -> Iterator[str]:
    scales = Counter(measured.scale for measured in found)
    seconds = sum(measured.seconds for measured in (*found, *others))
    load = machine["load"]
    many = " and ".join(f"{count} experiments at scale `{scale}`" for scale, count in scales.items())
    yield (
        f"These are {many}, on {machine['processors']} processors with"
        f" {machine['memory'] / 1024**3:.0f} GB ({machine['system']}), {seconds / 60:.0f} minutes in all."
        " Servers run with `fsync` off unless an experiment says otherwise, their files in memory."
    )
    if control := control_text([*found, *others]):
        yield from ("", f"**{control}.**")
    if load is not None and load > machine["processors"]:
        yield ""
        yield (
            f"At the end the load was {load:.0f}: the cause is experiments with several clients, or other"
            " work, which would make times longer and intervals wider. The ratios remain fair: the sides of"
            " a round take turns."
        )


def _document(measured: Measured) -> str:
    return measured.source.rpartition(", ")[0]


def _is_smaller(other: Measured, measured: Measured) -> bool:
    return other.id == measured.id and (other.scale, measured.scale) == ("quick", "document")


def _experiment(measured: Measured, smaller: Measured | None, *, limited: bool) -> Iterator[str]:
    section = measured.source.rpartition(", ")[2]
    installs = ", ".join(dict.fromkeys(measured.installs.values()))
    yield from ("", f"### `{measured.id}`: {_cell(measured.title)}", "")
    yield f"Section {section}; PostgreSQL {installs}." if installs else f"Section {section}."
    if measured.scaled:
        yield from ("", f"Smaller than the document's: {_cell(scaled_text(measured))}.")
    if measured.scale == "quick" and (experiment := documents_experiments().get(measured.id)) is not None:
        time, disk, memory = takes_texts(takes(experiment, measured))
        yield from (
            "",
            f"At the document's scale it would take about {time}, files of {disk}, {memory} of memory"
            + (": longer than is left of two hours in all." if limited else "."),
        )
    if measured.builds:
        yield from ("", _cell(measured.builds))
    rows = list(measured.comparisons())
    if rows:
        parts = list(dict.fromkeys(name for point in measured.points for name in point.labels))
        base = next(iter(measured.sides.values()))
        many = len({ratio.figure.text for _, ratio in rows if ratio.figure}) > _FEW
        heads = [*parts, "", base, "side", "ratio", "document", "verdict"]
        yield from ("", f"| {' | '.join(map(_cell, heads))} |", f"|{'---|' * len(heads)}")
        for point, ratio in rows:
            cells = [
                *(point.labels[name] for name in parts),
                ratio.quantity,
                shown(ratio.base_value, ratio.unit),
                f"{measured.sides[ratio.side]}: {shown(ratio.value, ratio.unit)}",
                interval_text(ratio.interval),
                figure_text(ratio.figure) + (f": {ratio.figure.text}" if ratio.figure and many else ""),
                verdict_text(ratio),
            ]
            yield f"| {' | '.join(map(_cell, cells))} |"
        yield from ("", f"![{_cell(measured.title)}](measurements/{file_name(measured.id)}.svg)")
    yield from _told(measured)
    texts = list(dict.fromkeys(ratio.figure.text for _, ratio in rows if ratio.figure and ratio.figure.text))
    if texts and len(texts) <= _FEW:
        yield from ("", "The document: " + "; ".join(map(_cell, texts)) + ".")
    if reason := _why(measured, [ratio for _, ratio in rows], smaller):
        yield from ("", reason)


def _told(measured: Measured) -> Iterator[str]:
    facts = list(measured.facts())
    if facts:
        yield ""
        yield from (f"- {_cell(f'{point}: {name}: {text}')}" for point, name, text in facts)
    troubles = [f"{points}: {trouble}" for points, trouble in measured.troubles()]
    troubles += [measured.trouble] if measured.trouble else []
    for trouble in troubles:
        yield from ("", f"Not measured: {_cell(' '.join(trouble.split()))}")


def _why(measured: Measured, ratios: Sequence[Ratio], smaller: Measured | None) -> str:
    """Return the known reasons why results differ from the document's.

    Parameters:
        smaller: the same experiment with smaller sizes, which show what the sizes change.
    """
    judged = [ratio for ratio in ratios if ratio.verdict is not ClaimVerdict.NOT_JUDGED]
    opposite = sum(ratio.verdict is ClaimVerdict.OPPOSITE for ratio in judged)
    undecided = sum(ratio.verdict is ClaimVerdict.UNDECIDED for ratio in judged)
    differing = [ratio for ratio in judged if ratio.deviation is not None]
    sizes = [_by_size(ratio, measured.sides[ratio.side], smaller) if smaller else "" for ratio in differing]
    untried = [
        ratio
        for ratio, of_size in zip(differing, sizes, strict=True)
        if not of_size and ratio.figure and not ratio.figure.tried
    ]
    parts = [f"Tried out: {reason}" for reason in (*measured.reasons(), *filter(None, sizes))]
    parts += [measured.note] if measured.note else []
    if opposite:
        parts.append(f"{opposite} of {len(judged)} claims go the other way here.")
    if undecided:
        parts.append(
            f"Undecided: {undecided} of {len(judged)} claims. More rounds, or a machine with less other work,"
            " may decide."
        )
    if untried:
        parts.append("The cause of the different size was not investigated.")
    return _cell(" ".join(parts))


def _by_size(ratio: Ratio, side: str, smaller: Measured) -> str:
    """What a claim's ratio is with smaller sizes; empty if they aren't smaller.

    Parameters:
        side: the name of the ratio's side.
    """
    for _, other in smaller.comparisons() if smaller.scaled else ():
        same = (other.side, other.quantity) == (ratio.side, ratio.quantity)
        judged = other.verdict is not ClaimVerdict.NOT_JUDGED
        if same and judged and other.figure and ratio.figure and other.figure.text == ratio.figure.text:
            before, after = interval_text(other.interval), interval_text(ratio.interval)
            overlap = other.interval.meets(*ratio.interval.ends)
            return (
                f"With the smaller sizes of scale quick, the ratio of {side} was {before} instead of {after}:"
                f" {'no effect of the sizes was seen' if overlap else 'the sizes matter'}."
            )
    return ""


def _cell(text: str) -> str:
    """Return text with Markdown's special characters escaped."""
    return "".join(f"\\{letter}" if letter in "_*<>[]`\\|" else letter for letter in text)


def main(arguments: Sequence[str]) -> None:
    """Print the page of JSON files, and draw its plots."""
    found: dict[str, Measured] = {}
    others: list[Measured] = []
    machine: Mapping[str, Any] = {}
    for file in arguments:
        measurements = json.loads(Path(file).read_text(encoding="utf-8"))
        if measurements.get("format") != FORMAT:
            sys.exit(f"{file} is not of the format {FORMAT!r}: write it again with pgfeatures measure --json")
        machine = machine or measurements["machine"]
        for each in from_plain(measurements["experiments"], list[Measured]):
            before = found.get(each.id)
            if before is None or (before.scale, each.scale) == ("quick", "document"):
                found[each.id] = each
                others += [before] if before else []
            else:
                others.append(each)
    order = [*documents_experiments(), *found]
    shown_ones = sorted(found.values(), key=lambda each: order.index(each.id))
    PLOTS.mkdir(exist_ok=True)
    for old in PLOTS.glob("*.svg"):
        old.unlink()
    draw_all(shown_ones, PLOTS, ("svg",))
    print(page(machine, shown_ones, others), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
