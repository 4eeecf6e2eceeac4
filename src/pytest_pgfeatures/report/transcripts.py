"""Shows the transcripts of a behavior on several versions side by side."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console, RenderableType

    from pytest_pgfeatures.results.transcript import Entry

Step = tuple[str, str]
"""A question: a session and a statement."""
_DIRECTORIES = re.compile(r"/(?>(?:[\w.+-]++/){2,})")
_DATABASE = re.compile(r"\btest_\d++_\d++(?![\w])")


def side_by_side(transcripts: Mapping[str, Sequence[Entry]], console: Console) -> Iterator[RenderableType]:
    """Render each statement once, and below it each version's answer. Equal answers are shown once.

    Parameters:
        transcripts: the recorded entries, by the version's name.
        console: the console to render for. Different answers are shown side by side if they fit.
    """
    from rich.text import Text

    for (session, statement), answers in aligned(transcripts):
        texts = alike({version: "\n".join(entry.answer()) for version, entry in answers.items()})
        prompt = f"{session}> "
        yield Text(prompt, "dim").append(statement.replace("\n", "\n" + " " * len(prompt)), "bold")
        groups: dict[str, list[str]] = {}
        for version in transcripts:
            groups.setdefault(texts.get(version, "(not asked)"), []).append(version)
        if len(groups) == 1:
            yield Text(next(iter(groups)))
        else:
            yield _in_columns(groups, console)


def aligned(transcripts: Mapping[str, Sequence[Entry]]) -> list[tuple[Step, dict[str, Entry]]]:
    """Merge the steps of all transcripts in order, each with the entries of the versions that have it.

    Directories, and the names of test databases, differ from run to run. Statements that differ only in these
    are one step.
    """
    rows: list[tuple[Step, dict[str, Entry]]] = []
    for version, entries in transcripts.items():
        steps = [(entry.session, _of_any_run(entry.statement)) for entry in entries]
        matcher = difflib.SequenceMatcher(None, [step for step, _ in rows], steps, autojunk=False)
        merged: list[tuple[Step, dict[str, Entry]]] = []
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind == "equal":
                for (step, answers), entry in zip(rows[a:b], entries[c:d], strict=True):
                    merged.append((step, {**answers, version: entry}))
                continue
            merged += rows[a:b]
            merged += [(step, {version: entry}) for step, entry in zip(steps[c:d], entries[c:d], strict=True)]
        rows = merged
    return [((step[0], _shared(step[1], answers.values())), answers) for step, answers in rows]


def alike(texts: Mapping[str, str]) -> Mapping[str, str]:
    """Return texts of several versions; without directories and names of test databases, if that makes some
    equal."""
    general = {version: _of_any_run(text) for version, text in texts.items()}
    return general if len(set(general.values())) < len(set(texts.values())) else texts


def _shared(general: str, entries: Iterable[Entry]) -> str:
    """Return the statement of entries, or its general form if they differ."""
    statements = {entry.statement for entry in entries}
    return statements.pop() if len(statements) == 1 else general


def _of_any_run(text: str) -> str:
    return _DATABASE.sub("test_…", _DIRECTORIES.sub("…/", text))


def _in_columns(groups: Mapping[str, Sequence[str]], console: Console) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    texts = [
        Text(" ".join(versions), "bold cyan").append(f"\n{answer}", "default not bold")
        for answer, versions in groups.items()
    ]
    width = sum(max(map(len, text.plain.splitlines())) for text in texts) + 3 * (len(texts) - 1)
    if width > console.width:
        return Group(*texts)
    table = Table.grid(padding=(0, 3))
    table.add_row(*texts)
    return table
