"""Prints a table of which majors accept each statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.text import Text

    from pytest_pgfeatures.needs.ask import Verdict
    from pytest_pgfeatures.needs.run import Needs


def render_needs(asked: Needs, *, everything: bool = False) -> Iterator[RenderableType]:
    """Render a table of the statements that some version rejects, and their count, for a rich console.

    Parameters:
        everything: also list statements that all versions accept.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 1), pad_edge=False, expand=True)
    table.add_column("statement", ratio=1, overflow="ellipsis", no_wrap=True)
    for major in asked.majors:
        table.add_column(str(major), justify="center", no_wrap=True)
    table.add_column("why", ratio=1)
    for row in asked.rows:
        if not (everything or row.refused or row.unknown):
            continue
        place = f"{_short(row.file)}:{row.statement.line}"
        excerpt = " ".join(row.statement.sql.split())
        marks = [_mark(verdict) for verdict in row.verdicts]
        table.add_row(
            Text.assemble((place, "bold"), "  ", excerpt),
            *marks,
            Text(row.why or row.message or row.unknown, "dim"),
        )
    if table.row_count:
        yield table
    yield Text(summary(asked))


def _mark(verdict: Verdict) -> Text:
    from rich.text import Text

    if verdict.unknown:
        return Text("?", "yellow")
    return Text("●", "green") if verdict.sqlstate is None else Text(verdict.sqlstate, "red")


def _short(file: str) -> str:
    """Return a file's name for the table: with its path if below the working directory, else without."""
    path = Path(file).absolute()
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else path.name


def summary(asked: Needs) -> str:
    """Return the number of statements with each requirement."""
    refused = sum(row.refused for row in asked.rows)
    unknown = sum(bool(row.unknown) for row in asked.rows)
    versions = _listed([str(major) for major in asked.majors])
    parts = [f"{refused} refused by some of {versions}"] if refused else []
    parts += [f"{unknown} could not be run by some of {versions}"] if unknown else []
    total = len(asked.rows)
    return f"{total} statement{'s' if total != 1 else ''}: {', '.join(parts) or f'{versions} accept all'}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


@dataclass(frozen=True, slots=True)
class VerdictObject:
    """The verdict of a major on a statement.

    Parameters:
        unknown: why this server can't tell.
    """

    sqlstate: str | None
    message: str | None
    unknown: str | None


@dataclass(frozen=True, slots=True)
class NeedsObject:
    """A statement.

    Parameters:
        why: the feature that it needs.
        answers: by major.
    """

    file: str
    line: int
    statement: str
    why: str | None
    answers: Mapping[str, VerdictObject]


@dataclass(frozen=True, slots=True)
class NeedsDocument:
    """The verdict of each version on each statement.

    Parameters:
        problems: statements that were not asked, and why, a line each.
    """

    versions: tuple[str, ...]
    statements: tuple[NeedsObject, ...]
    problems: tuple[str, ...]


def needs_document(asked: Needs) -> NeedsDocument:
    """Describe the verdicts, for JSON."""
    return NeedsDocument(
        tuple(str(install.version) for install in asked.installs),
        tuple(
            NeedsObject(
                row.file,
                row.statement.line,
                row.statement.sql,
                row.why,
                {
                    str(major): VerdictObject(verdict.sqlstate, verdict.message, verdict.unknown or None)
                    for major, verdict in zip(asked.majors, row.verdicts, strict=True)
                },
            )
            for row in asked.rows
        ),
        tuple(asked.problems),
    )
