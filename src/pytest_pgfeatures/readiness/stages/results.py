"""The stage ``results``: both servers execute each statement, and their answers and changes are compared."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.causes.results import ResultCauses
from pytest_pgfeatures.readiness.model import Executed, Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_data
from pytest_pgfeatures.readiness.running.determinacy import FORMS, determinacy
from pytest_pgfeatures.readiness.running.effects import (
    EXECUTED,
    READING,
    acts_outside,
    begins_with,
    differs_by_server,
    relations_in,
)
from pytest_pgfeatures.readiness.running.execute import execute_all, indexes_used
from pytest_pgfeatures.readiness.running.judge import comparison_of, judge
from pytest_pgfeatures.readiness.running.notifications import noting
from pytest_pgfeatures.readiness.running.parameters import values_of
from pytest_pgfeatures.readiness.running.reading import nodes_in, read, words
from pytest_pgfeatures.readiness.running.rewriting import rewritten
from pytest_pgfeatures.readiness.running.rounding import FLOATS
from pytest_pgfeatures.readiness.running.same_rows import changing_functions, differing, make_same
from pytest_pgfeatures.readiness.running.samples import Samples
from pytest_pgfeatures.readiness.servers.side import AS_REPLICA, QUIET
from pytest_pgfeatures.readiness.stages.places import excerpt_at, shown_at
from pytest_pgfeatures.readiness.stages.schema import refused_by_both
from pytest_pgfeatures.readiness.stages.views import executed, views_of
from pytest_pgfeatures.server.maintenance import maintain_database, remedy
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.determinacy import Determinacy
    from pytest_pgfeatures.readiness.running.execute import Ran
    from pytest_pgfeatures.readiness.running.judge import Judgment
    from pytest_pgfeatures.readiness.running.same_rows import LoadDifference
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.readiness.statements.nodes import Node

_EXACT_TEXT = VersionSet(">=12")
"""Floating-point numbers are printed exactly: https://www.postgresql.org/docs/release/12.0/."""
_SECONDS = 600.0
"""The shortest time limit for comparing all rows, or maintaining a database, in seconds."""
_SHOWN = 10
"""The number of tables that a message names."""


def look(trial: Trial) -> StageReport:
    """Execute the application's statements on both servers, and compare."""
    _ = trial.loaded, trial.set_up
    return _Results(trial).report()


class _Results:
    """The statements' results on both servers.

    Parameters:
        trial: the pair of versions, with everything loaded.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._counts: Counter[str] = Counter()
        self._not_looked_at: list[NotLookedAt] = []
        self._findings: list[Finding] = []
        self._executed: list[tuple[Query, bool]] = []
        self._problems = list(refused_by_both(trial))
        self._causes = ResultCauses(trial)

    def report(self) -> StageReport:
        trial, counts = self._trial, self._counts
        unlike = self._same_rows()
        views = views_of(trial)
        answered = [
            *(each for each in zip(trial.statements, *trial.answers, strict=True) if _is_candidate(each[0])),
            *zip(views, *trial.parsed(views), strict=True),
        ]
        planned = self._planned(answered, unlike)
        old, _ = trial.sides

        def run(side: Side) -> list[Ran]:
            def progress(done: int) -> None:
                if side is old:
                    trial.progress("results", done, len(planned))

            statements = (query.sql for query in planned)
            with (
                side.superuser() as superuser,
                noting(superuser, statements),
                side.connect(setting=QUIET) as connection,
            ):
                return execute_all(connection, list(planned), timeout=trial.timeout, progress=progress)

        hows = self._decided(list(planned.values()))
        ours, theirs = trial.both(run)
        repeated = run(old)  # in another session
        for each in zip(planned, hows, ours, repeated, theirs, strict=True):
            self._compare(*each)
        shown = {
            "same": "with the same result", "failed": "failed on both", "volatile": "volatile",
            "by type": "with values of a parameter's type alone", "parameters": "without values for parameters",
            "left out": "left out",
        }  # fmt: skip
        return StageReport(
            "results", tuple(self._findings),
            (("statements", len(answered)), *((label, counts[name]) for name, label in shown.items())),
            tuple(self._problems), tuple(self._not_looked_at),
            executed=tuple(self._with_indexes()), named=tuple(sorted(self._causes.named)),
        )  # fmt: skip

    def _same_rows(self) -> list[str]:
        """Give both servers the same rows, and maintain the databases. Return the tables that still differ."""
        old, new = self._trial.sides
        seconds = max(self._trial.timeout, _SECONDS)
        with (
            old.connect() as one,
            new.connect(setting=AS_REPLICA) as other,
            within(one, seconds),
            within(other, seconds),
        ):
            for difference in make_same(one, other):
                called = _changing_load(self._trial, difference.table, changing_functions(one))
                self._problems += _changing(self._trial, difference, called)
                self._findings += _of_load(self._trial, difference, called)
            self._findings += _maintained(self._trial)
            unlike, empty = differing(one, other)
        if empty:
            more = f", and {len(empty) - _SHOWN} more" if len(empty) > _SHOWN else ""
            self._problems.append(f"tables without rows: {', '.join(empty[:_SHOWN])}{more}")
        return unlike

    def _planned(
        self, answered: Sequence[tuple[Query, Parsed, Parsed]], unlike: Sequence[str]
    ) -> dict[Query, Determinacy]:
        """The statements that both servers accept and whose parameters have values.

        Parameters:
            answered: all statements, with the answers of both servers.
            unlike: the tables whose rows differ.
        """
        found: dict[Query, Determinacy] = {}
        with self._trial.sides[0].connect() as connection:
            limit = f"SET statement_timeout = {self._trial.timeout * 1000:.0f}"
            connection.execute(f"{limit}; SET default_transaction_read_only = on".encode())
            samples = Samples(connection)
            for query, before, after in answered:
                if before.refusal is not None or after.refusal is not None:
                    self._counts["left out"] += 1  # the stage queries reports it
                    continue
                tree = read(query.sql)
                if why := _obstacle(before, tree, unlike):
                    self._pass_over("left out", query, why)
                else:
                    values = values_of(query, before.parameters, tree, self._trial.inputs.parameters, samples)
                    if isinstance(values, int):
                        name = "".join(query.names[values - 1 : values])
                        shown = f"${values} ({name})" if name else f"${values}"
                        why = f"no value is known for the parameter {shown}: write one into a file for --parameters"
                        self._pass_over("parameters", query, why)
                        continue
                    self._counts["by type"] += bool(values.by_type)
                    given = replace(query, values=values.values)
                    found[executed(given)] = determinacy(given, tree, before.called)
        return found

    def _decided(self, hows: Sequence[Determinacy]) -> list[Determinacy]:
        """The properties of the results, with the old server's answers."""
        left = [tie.forms for how in hows for tie in how.ties if tie.forms]
        apart: set[Query] = set()
        with self._trial.sides[0].connect() as connection:
            for number in range(FORMS):  # the next one, only where the server refuses this one
                asked = [forms[number] for forms in left]
                ran = [each.answer for each in execute_all(connection, asked, timeout=self._trial.timeout)]
                pairs = zip(asked, ran, strict=True)
                apart.update(form for form, each in pairs if not each.sqlstate and not each.sent[0].rows)
                refused = (each.sqlstate not in (None, CANCELED, OUT_OF_MEMORY) for each in ran)
                left = list(itertools.compress(left, refused))
        return [how.decided(apart) for how in hows]

    def _compare(self, query: Query, how: Determinacy, first: Ran, repeated: Ran, last: Ran) -> None:
        pair = self._trial.pair
        names = str(pair.old), str(pair.new)
        inexact = how.adds_up and (pair.old in _EXACT_TEXT or pair.new not in _EXACT_TEXT)

        def judged(one: Ran, other: Ran) -> Judgment:
            return judge(query.sql, one, other, last, names, how, inexact=inexact)

        judgment = judged(first, repeated)
        if judgment.kind in ("failed", "volatile"):
            self._pass_over(judgment.kind, query, judgment.explanation + _named(how.volatile))
            return
        self._counts[judgment.kind] += 1
        compared = judgment.kind in ("same", "differs") and not judgment.without
        if compared and not first.changed and not last.changed and begins_with(READING, query.sql):
            self._executed.append((query, judgment.kind == "same"))
        if judgment.kind == "same":
            return
        same: list[str] = []
        if judgment.types:
            with self._trial.sides[1].connect(setting=QUIET) as new:
                one, other = (
                    replace(each, answer=rewritten(new, each.answer, last.answer))
                    for each in (first, repeated)
                )
            same += ["the values are the same, in another text"] * (judged(one, other).kind == "same")
        finding = _finding(self._trial, query, judgment, how, same)
        if judgment.kind != "timed out":
            sqlstate = None if judgment.kind == "differs" else judgment.sqlstate
            errors = first.answer.sqlstate, last.answer.sqlstate
            finding = self._causes.explained(
                finding, query, judgment.types, sqlstate, errors, rewritten=bool(same)
            )
        beside = comparison_of(
            query.sql, first, last, names, without=judgment.without, ordered=how.ordered or None
        )
        self._findings.append(replace(finding, comparison=beside if beside.rows else None))

    def _pass_over(self, kind: str, query: Query, why: str) -> None:
        place = query.place()
        self._counts[kind] += 1
        self._not_looked_at.append(NotLookedAt(f"{place.file}:{place.line}", why))

    def _with_indexes(self) -> Iterator[Executed]:
        """The statements that were compared, with the indexes that the new server's plans use."""
        with self._trial.sides[1].connect() as connection:
            for query, same in self._executed:
                indexes, sql = indexes_used(connection, query), query.sql.strip().rstrip(";")
                yield Executed(query.place(), sql, query.values, same, indexes)


def _is_candidate(query: Query) -> bool:
    return (
        query.kind not in ("schema", "data", "body", "view")
        and query.inside is None
        and begins_with(EXECUTED, query.sql)
    )


def _obstacle(parsed: Parsed, tree: Node | None, unlike: Sequence[str]) -> str:
    """Why a statement can't be executed for a comparison; empty if it can.

    Parameters:
        unlike: the tables whose rows differ.
    """
    if name := acts_outside(parsed, tree):
        return f"{name} has effects outside of its transaction"
    read = {name.rpartition(".")[2].strip('"') for name in relations_in(parsed, tree)}
    if name := next((each for each in unlike if each.rpartition(".")[2] in read), ""):
        return f"the rows of {name} differ before the statement runs"
    name = differs_by_server(parsed, tree)
    return f"{name} differs from server to server" if name else ""


def _named(volatile: Sequence[str]) -> str:
    return f"; it calls {', '.join(volatile)}, which the catalog calls volatile" if volatile else ""


def _finding(trial: Trial, query: Query, judgment: Judgment, how: Determinacy, why: Sequence[str]) -> Finding:
    """The finding of a judgment.

    Parameters:
        why: reasons why other values may not affect the application.
    """
    new = trial.pair.new
    uncertain = [*why, *([how.left_open] if how.left_open else [])]
    if how.adds_up and judgment.types and judgment.types <= FLOATS:
        uncertain.append("sums of floating-point numbers depend on the order of rows")
    uncertain += [_named(how.volatile).removeprefix("; ")] if how.volatile else []
    match judgment.kind:
        case "refused":
            message, severity = f"{new} refuses it when it runs: {judgment.explanation}", "error"
            uncertain, advice = [], "see what the server says, and change the statement or what it calls"
        case "accepted":
            message, severity = f"{new} runs what {trial.pair.old} refuses: {judgment.explanation}", "note"
            uncertain, advice = (
                ["nothing may rely on the error"],
                "nothing, unless something relies on the error",
            )
        case "timed out":
            message, severity = f"{new} had not finished after {trial.timeout:.0f} s", "warning"
            uncertain, advice = ["it may wait for something"], "compare the plans, or raise --timeout"
        case _:
            message, severity = f"its result differs on {new}: {judgment.explanation}", "warning"
            advice = "see whether the application relies on the old result; state it explicitly"
    if uncertain and judgment.kind == "differs":
        message += f" ({'; '.join(uncertain)})"
    if query.values:
        message += f", with {', '.join(f'${at} = {value}' for at, value in enumerate(query.values, 1))}"
    return Finding(
        "results", severity, "may affect" if uncertain else "affects", message, advice,  # type: ignore[arg-type]
        place=query.place(),
        object=query.inside,
        excerpt=excerpt_at(query.sql, None),
        proof="" if query.values else with_data(trial, query.sql.strip().rstrip(";")),
        sqlstate=judgment.sqlstate if judgment.kind == "refused" else None,
    )  # fmt: skip


def _changing(trial: Trial, difference: LoadDifference, called: str) -> Iterator[str]:
    """The columns that each load fills with other values.

    Parameters:
        called: the function that a statement of the load calls.
    """
    causes = [(column, f"filled by its default {default}") for column, default in difference.changing]
    if called:
        causes += ((column, f"loaded by a statement with {called}") for column, *_ in difference.columns)
    for column, cause in causes:
        yield f"{difference.table}.{column} is {cause}; {trial.pair.new} got the values of {trial.pair.old}"


def _of_load(trial: Trial, difference: LoadDifference, called: str) -> Iterator[Finding]:
    (old, new), of_table = difference.rows, f"table {difference.table}"
    loading = next(_loads_of(trial, difference.table), None)
    shown = shown_at(loading[0]) if loading else {}
    if old != new:
        yield Finding(
            "results", "error", "affects",
            f"the same load leaves {new} rows on {trial.pair.new}, {old} on {trial.pair.old}",
            "see what the stage schema says of the statements that load it", object=of_table,
            **shown,
        )  # fmt: skip
    elif not called:
        for column, before, after in difference.columns:
            yield Finding(
                "results", "warning", "may affect",
                f"the same load leaves other values in {column} on {trial.pair.new}: {before} -> {after}",
                "see whether the values are constants, and write them so that both versions read the same",
                object=of_table, **shown,
            )  # fmt: skip


def _changing_load(trial: Trial, table: str, changing: Collection[str]) -> str:
    """The first function of the load of a table whose value changes from call to call; empty if there is none.

    Parameters:
        changing: the names of such functions.
    """
    for _, load in _loads_of(trial, table):
        for kind, node, _ in nodes_in(load):
            if kind == "SQLValueFunction":
                return str(node["op"]).removeprefix("SVFOP_").lower()
            if kind == "FuncCall" and (called := words(node["funcname"])[-1]) in changing:
                return called
    return ""


def _loads_of(trial: Trial, table: str) -> Iterator[tuple[Query, Node]]:
    """The statements that load a table, INSERT and COPY, with their trees."""
    name = table.rpartition(".")[2]
    for query in (each.query for each in trial.inputs.loaded if name in each.query.sql):
        statement = (read(query.sql) or {}).get("stmt", {})
        load = statement.get("InsertStmt", statement.get("CopyStmt", {}))
        if load.get("relation", {}).get("relname") == name:
            yield query, load


def _maintained(trial: Trial) -> Iterator[Finding]:
    """Maintain both databases. A refusal by the new server alone is a finding."""

    def run(side: Side) -> dict[str, tuple[str, str] | None]:
        with side.connect() as connection, within(connection, max(trial.timeout, _SECONDS)):
            return dict(maintain_database(connection))

    before, after = trial.both(run)
    for statement, failure in after.items():
        if failure is not None and before.get(statement) is None:
            sqlstate, message = failure
            first = " ".join(message.split())
            yield Finding(
                "results", "error", "affects",
                f"{trial.pair.new} refuses {statement}: {SqlState(sqlstate)}: {first}",
                remedy({sqlstate}, trial.pair.new), object=statement.rpartition(" ")[2],
                proof=with_data(trial, statement), sqlstate=sqlstate,
            )  # fmt: skip
