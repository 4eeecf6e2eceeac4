"""Compare a statement's executions: two on the old server, one on the new one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import psycopg

from pytest_pgfeatures.answers.ask import ask
from pytest_pgfeatures.answers.difference import differences
from pytest_pgfeatures.answers.model import Sent, SentColumn, ServerAnswer
from pytest_pgfeatures.answers.side_by_side import side_by_side
from pytest_pgfeatures.readiness.model import SideBySide
from pytest_pgfeatures.readiness.running.effects import Determinacy
from pytest_pgfeatures.readiness.running.execute import Ran
from pytest_pgfeatures.readiness.wording import first_of
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY

Values = Sequence[str | None]
Runs = tuple[Ran, Ran, Ran]  # of a statement: two on the old server, and one on the new server

_OF_ANY_LENGTH = {"character": '"bpchar"', "bit": '"bit"'}
"""Names without a length that mean a length of 1, and what means any length."""


def _columns(*results: Sent) -> Iterator[tuple[SentColumn, Values]]:
    for each in results:
        for at, column in enumerate(each.columns):
            yield column, [row[at] for row in each.rows]


def _changed(answer: ServerAnswer, change: Callable[[SentColumn, Values], Values | None]) -> ServerAnswer:
    """An answer with other values in its columns, without the columns for which the function returns None."""
    sent = []
    for each in answer.sent:
        changed = ((column, change(column, values)) for column, values in _columns(each))
        columns = [(column, values) for column, values in changed if values is not None]
        rows = zip(*(values for _, values in columns), strict=True) if columns else [()] * len(each.rows)
        sent.append(replace(each, columns=tuple(column for column, _ in columns), rows=tuple(rows)))
    return replace(answer, sent=tuple(sent))


def rewritten(connection: psycopg.Connection, answer: ServerAnswer, new: ServerAnswer) -> ServerAnswer:
    """The old server's answer, with its values as the new server writes them. Columns that have another type in the
    new answer, or the same values, keep their text."""
    beside = iter(_columns(*new.sent))

    def anew(column: SentColumn, values: Values) -> Values:
        other, theirs = next(beside, (column, values))
        if other.key != column.key or theirs == values:
            return values
        type_ = _OF_ANY_LENGTH.get(column.type, column.type).replace("%", "%%")
        query = f"SELECT value, value::{type_}::text FROM pg_catalog.unnest(%s::text[]) AS value"
        known = ask(connection, query, [sorted({each for each in values if each is not None})])
        texts = {row[0]: row[1] for sent in known.sent for row in sent.rows}  # none if it refuses one of them
        return [texts.get(each, each) for each in values]

    return _changed(answer, anew)


_ANEW = frozenset({26, 27, 28, 29})  # the types oid, tid, xid and cid: each server assigns their values anew
# The digits of the type (FLT_DIG 6, DBL_DIG 15) that remain exact in a sum of some thousand values.
FLOATS = {"real": 4, "double precision": 12}
"""The digits of floating-point numbers in which they agree if they differ by the rounding of sums."""
_SHOWN = 6  # the number of a diff's lines that a finding shows


class Judgment(NamedTuple):
    """The verdict on a statement's results."""

    kind: Literal["same", "differs", "refused", "failed", "volatile", "timed out"]
    """``refused`` if one server refuses it, ``failed`` if both do; ``volatile`` if the old server answers
    differently from run to run; ``timed out`` if only the new server does not end."""
    explanation: str = ""
    without: tuple[str, ...] = ()  # columns that were not compared, as they change from run to run
    types: frozenset[str] = frozenset()  # types of the columns with other values, and the same type on both
    errors: tuple[str | None, str | None] = (None, None)  # the SQLSTATEs of both servers

    @property
    def sqlstate(self) -> str | None:
        """The error, if only one server refuses it."""
        return None if None not in self.errors else self.errors[0] or self.errors[1]


def judge(sql: str, runs: Runs, *, names: tuple[str, str], how: Determinacy, inexact: bool) -> Judgment:
    """Compare the runs of a statement; if ``inexact``, floating-point numbers may differ by rounding in a sum."""
    first, repeated, new = runs
    state, again, new_state = (each.answer.sqlstate for each in runs)
    if CANCELED in (state, again):
        return Judgment("failed", f"{names[0]} had not finished")
    if new_state == CANCELED:
        return Judgment("timed out")
    for version, ran in zip((names[0], *names), runs, strict=True):
        if ran.answer.sqlstate == OUT_OF_MEMORY:  # of a limit of ours: it may have been near it elsewhere
            return Judgment("failed", f"on {version}: {OUT_OF_MEMORY} out_of_memory: {ran.answer.error}")
    if state != again:
        return Judgment("volatile", "the old server refuses it in one run and not in the next")
    if state or new_state:
        return _of_errors(first.answer, new.answer)
    if how.drawn_by:
        return Judgment("volatile", f"{how.drawn_by}() chooses its rows")
    if (without := _unsteady(first.answer, repeated.answer, is_all=not (first.did or new.did))) is None:
        return Judgment("volatile", "its result differs from run to run")
    both = [_masked(each.answer, without) for each in (first, new)]
    both = list(_snapped(*both)) if inexact else both
    found = differences(sql, both[0], _as_columns_of(*both), names, how.ordered)
    # without the servers' names and equal rows
    lines = [each for each in found if not each.startswith(("--- ", "+++ ", " "))]
    lines = [*first_of(lines, _SHOWN), *_effects(runs, names)]
    if not lines:
        return Judgment("same", "", tuple(sorted(without)))
    columns = zip(*(_columns(*each.sent) for each in both), strict=False)
    alike = ((one, ours, theirs) for (one, ours), (other, theirs) in columns if one.key == other.key)
    types = frozenset(column.type for column, ours, theirs in alike if Counter(ours) != Counter(theirs))
    return Judgment("differs", "; ".join(lines).replace(":; ", ": "), tuple(sorted(without)), types)


def _of_errors(old: ServerAnswer, new: ServerAnswer) -> Judgment:
    if old.sqlstate is None or new.sqlstate is None:
        return Judgment("refused", errors=(old.sqlstate, new.sqlstate))
    if old.sqlstate == new.sqlstate:
        return Judgment("failed", f"both refuse it: {old.sqlstate} {old.error}")
    said = f"{new.sqlstate} ({new.error}), and not with {old.sqlstate} ({old.error})"
    return Judgment("differs", f"it fails with {said}", errors=(old.sqlstate, new.sqlstate))


def _unsteady(first: ServerAnswer, repeated: ServerAnswer, *, is_all: bool) -> set[str] | None:
    """The columns whose values differ between two runs on one server; None if more than values does, or if all
    columns do where they are all that is compared."""
    one, other = ([(len(each.rows), each.tag) for each in answer.sent] for answer in (first, repeated))
    if first.messages != repeated.messages or one != other:
        return None
    pairs = list(zip(_columns(*first.sent), _columns(*repeated.sent), strict=False))
    unsteady = {column.name for (column, ours), (_, theirs) in pairs if column.oid in _ANEW or ours != theirs}
    return None if unsteady and is_all and unsteady == {column.name for (column, _), _ in pairs} else unsteady


def _masked(answer: ServerAnswer, without: Collection[str]) -> ServerAnswer:
    """An answer without some columns."""
    return _changed(answer, lambda column, values: None if column.name in without else values)


def _snapped(*answers: ServerAnswer) -> Iterator[ServerAnswer]:
    """Answers with one number in place of floating-point numbers that differ by the rounding of sums."""
    columns = [column for answer in answers for column in _columns(*answer.sent)]
    same: dict[tuple[str, str | None], str] = {}
    for type_, digits in FLOATS.items():
        texts = {each for column, values in columns if column.type == type_ for each in values}
        first = "NaN"
        for text in sorted((each for each in texts if each not in (None, "NaN")), key=float):
            if not math.isclose(float(first), float(text), rel_tol=10.0**-digits):
                first = text
            same[type_, text] = first
    for answer in answers:
        yield _changed(
            answer, lambda column, values: [same.get((column.type, each), each) for each in values]
        )


def _as_columns_of(old: ServerAnswer, new: ServerAnswer) -> ServerAnswer:
    """The answer with the old one's columns. The stage ``queries`` reports how the columns differ."""
    if [len(each.columns) for each in old.sent] != [len(each.columns) for each in new.sent]:
        return new
    pairs = zip(old.sent, new.sent, strict=True)
    return replace(new, sent=tuple(replace(theirs, columns=ours.columns) for ours, theirs in pairs))


def _effects(runs: Runs, names: tuple[str, str]) -> Iterator[str]:
    """Compare the tables that a statement changes, the sequences that it moves and its notifications, if they don't
    vary from run to run."""
    first, repeated, new = runs
    for table in sorted(first.did.keys() | new.did.keys()):
        if first.did_to(table) != new.did_to(table):
            yield f"{table}: {first.did_to(table)} on {names[0]}, {new.did_to(table)} on {names[1]}"
            continue
        left = first.left[table]
        changing = left.differences(repeated.left.get(table, left))
        if columns := left.differences(new.left[table], changing):
            yield f"it leaves other values in {table}: column {', '.join(columns)}"
    for name in sorted(first.sequences.keys() | new.sequences.keys()):
        one, again, other = (each.sequences.get(name) for each in runs)
        if one == again != other:
            ours, theirs = (f"at {each[0]}" if each else "where it was" for each in (one, other))
            yield f"it leaves the sequence {name} {ours} on {names[0]}, {theirs} on {names[1]}"
    if first.notified == repeated.notified and {*first.notified} != {*new.notified}:
        gone = ", ".join(each for each in first.notified if each not in new.notified)
        come = ", ".join(each for each in new.notified if each not in first.notified)
        yield f"it notifies of {gone or 'nothing'} on {names[0]}, of {come or 'nothing'} on {names[1]}"


def comparison_of(
    sql: str, old: Ran, new: Ran, names: tuple[str, str], *, without: Collection[str], ordered: bool | None
) -> SideBySide:
    """The answers of both servers without some columns, and the tables that they changed differently."""
    one, other = (_masked(each.answer, without) for each in (old, new))
    rows = [*side_by_side(sql, one, other, ordered)]
    for table in sorted(old.did.keys() | new.did.keys()):
        before, after = (f"{table}: {each.did_to(table)}" for each in (old, new))
        rows += [(before, "|", after)] if before != after else []
    return SideBySide("answers", names, tuple(rows))
