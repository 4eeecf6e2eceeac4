"""The stage ``results``: both servers execute each statement, and their answers and changes are compared."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from pytest_pgfeatures.readiness.advice import judged, proof_of
from pytest_pgfeatures.readiness.causes import explained_result
from pytest_pgfeatures.readiness.model import Executed, Finding, Found, NotLookedAt, Query, StageReport
from pytest_pgfeatures.readiness.running.contents import (
    LoadDifference,
    changing_functions,
    differing,
    make_same,
)
from pytest_pgfeatures.readiness.running.effects import (
    EXECUTED,
    FORMS,
    READING,
    Determinacy,
    acts_outside,
    begins_with,
    determinacy,
    differs_by_server,
)
from pytest_pgfeatures.readiness.running.execute import Ran, execute_all, indexes_used, noting
from pytest_pgfeatures.readiness.running.judge import FLOATS, Judgment, comparison_of, judge, rewritten
from pytest_pgfeatures.readiness.running.parameters import Samples, values_of
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.servers.side import AS_REPLICA, QUIET, Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.object_questions import own
from pytest_pgfeatures.readiness.stages.places import definitions_in, first_of, shown_at
from pytest_pgfeatures.readiness.stages.plans import maintained
from pytest_pgfeatures.readiness.stages.schema import refused_by_both
from pytest_pgfeatures.readiness.statements.grammar import Node, nodes_in, read, words
from pytest_pgfeatures.server.maintenance import MAINTENANCE, remedy
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

_VIEWS = f"""
    SELECT c.relname, format('%I.%I', n.nspname, c.relname), pg_get_viewdef(c.oid)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE {own("c.oid")} AND c.relkind = 'v' AND c.relpersistence <> 't'
     ORDER BY c.oid
"""
_EXACT_TEXT = VersionSet(">=12")
"""Floating-point numbers are printed exactly: https://www.postgresql.org/docs/release/12.0/."""
_COUNTED = {
    "same": "with the same result", "failed": "failed on both", "volatile": "volatile",
    "by type": "with values of a parameter's type alone", "parameters": "without values for parameters",
    "left out": "left out",
}  # fmt: skip
_SHOWN = 10  # tables that a message names


def look(trial: Trial) -> StageReport:
    """Execute the application's statements on both servers, and compare."""
    _ = trial.set_up
    found = _Results(trial)
    unlike = found.same_rows()
    views = _views_of(trial)
    answered = [
        each
        for each in zip(trial.statements, *trial.answers, strict=True)
        if each[0].kind not in ("schema", "data", "body")
        and each[0].inside is None
        and begins_with(EXECUTED, each[0].sql)
    ]
    answered += zip(views, *trial.parsed(views), strict=True)
    planned = found.planned(answered, unlike)

    def run(side: Side) -> list[Ran]:
        progress = trial.progress_of(side, "results", len(planned))
        with side.superuser() as root, noting(root), side.connect(setting=QUIET) as connection:
            return execute_all(connection, list(planned), timeout=trial.timeout, progress=progress)

    hows = _decided(trial, list(planned.values()))
    ours, theirs = trial.both(run)
    repeated = run(trial.sides[0])  # in another session
    for each in zip(planned, hows, ours, repeated, theirs, strict=True):
        found.compare(*each)
    counts = ((label, found.counts[name]) for name, label in _COUNTED.items())
    report = StageReport.of("results", [*found.found, ("statements", len(answered)), *counts])
    executed = tuple(_with_indexes(trial, found.executed))
    return replace(report, executed=executed, named=tuple(sorted(found.named)))


class _Results:
    """The statements' results on both servers."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self.counts: Counter[str] = Counter()
        self.found: list[Found] = [*refused_by_both(trial)]
        self.executed: list[tuple[Query, bool]] = []
        self.named: set[tuple[str, str, int]] = set()

    def same_rows(self) -> list[str]:
        """Give both servers the same rows, and maintain the databases. Return the tables that still differ."""
        trial, (old, new) = self._trial, self._trial.sides
        with (
            old.connect() as one,
            new.connect(setting=AS_REPLICA) as other,
            within(one, trial.long),
            within(other, trial.long),
        ):
            for difference in make_same(one, other):
                self._note_load(difference, changing_functions(one))
            self.found += _maintained(trial)
            unlike, empty = differing(one, other)
        if empty:
            self.found.append(f"tables without rows: {', '.join(first_of(empty, _SHOWN))}")
        return unlike

    def _note_load(self, difference: LoadDifference, changing: Collection[str]) -> None:
        """Report the other rows that a load leaves, or what fills columns with other values each time: defaults,
        and changing functions."""
        table, (old, new) = difference.table, (self._trial.pair.old, self._trial.pair.new)
        loads = list(_loads_of(self._trial, table))
        called = next((name for _, load in loads for name in _changing_in(load, changing)), "")
        shown = shown_at(loads[0][0]) if loads else {}
        causes = [(column, f"filled by its default {default}") for column, default in difference.changing]
        if called:
            causes += ((column, f"loaded by a statement with {called}") for column, *_ in difference.columns)
        got = f"{new} got the values of {old}"
        self.found += (f"{table}.{column} is {cause}; {got}" for column, cause in causes)
        before, after = difference.rows
        finding = functools.partial(Finding, "results", object=f"table {table}", **shown)
        if before != after:
            said = f"the same load leaves {after} rows on {new}, {before} on {old}"
            advice = "see what the stage schema says of the statements that load it"
            self.found.append(finding("error", "affects", said, advice))
        for column, one, other in difference.columns if before == after and not called else ():
            said = f"the same load leaves other values in {column} on {new}: {one} -> {other}"
            advice = (
                "see whether the values are constants, and write them so that both versions read the same"
            )
            self.found.append(finding("warning", "may affect", said, advice))

    def planned(
        self, answered: Sequence[tuple[Query, Parsed, Parsed]], unlike: Sequence[str]
    ) -> dict[Query, Determinacy]:
        """The statements that both servers accept, that read no table with unlike rows, and whose parameters have
        values."""
        found: dict[Query, Determinacy] = {}
        with self._trial.sides[0].connect() as connection:
            limit = f"SET statement_timeout = {self._trial.timeout * 1000:.0f}"
            connection.execute(f"{limit}; SET default_transaction_read_only = on".encode())
            samples = Samples(connection)
            for query, before, after in answered:
                if before.refusal or after.refusal:
                    self.counts["left out"] += 1  # the stage queries reports it
                    continue
                tree = read(query.sql)
                if why := _obstacle(before, tree, unlike):
                    self._pass_over("left out", query, why)
                    continue
                values = values_of(query, before.parameters, tree, self._trial.inputs.parameters, samples)
                if isinstance(values, int):
                    name = f" ({query.names[values - 1]})" if any(query.names[values - 1 : values]) else ""
                    why = f"no value is known for the parameter ${values}{name}"
                    self._pass_over("parameters", query, f"{why}: write one into a file for --parameters")
                    continue
                self.counts["by type"] += bool(values.by_type)
                given = replace(query, values=values.values)
                how = determinacy(given, tree, before.names.called)
                if query.kind == "view":  # servers print a view's query differently
                    given = replace(given, sql=f"SELECT * FROM {str(query.inside).removeprefix('view ')}")
                found[given] = how
        return found

    def compare(self, query: Query, how: Determinacy, first: Ran, repeated: Ran, last: Ran) -> None:
        pair = self._trial.pair
        names = str(pair.old), str(pair.new)
        inexact = how.adds_up and (pair.old in _EXACT_TEXT or pair.new not in _EXACT_TEXT)

        def judgment_of(one: Ran, other: Ran) -> Judgment:
            return judge(query.sql, one, other, last, names, how, inexact=inexact)

        judgment = judgment_of(first, repeated)
        if judgment.kind in ("failed", "volatile"):
            why = "; ".join(filter(None, (judgment.explanation, _volatile(how))))
            self._pass_over(judgment.kind, query, why)
            return
        self.counts[judgment.kind] += 1
        compared = judgment.kind in ("same", "differs") and not judgment.without
        if compared and not first.changed and not last.changed and begins_with(READING, query.sql):
            self.executed.append((query, judgment.kind == "same"))
        if judgment.kind == "same":
            return
        is_rewritten = False
        if judgment.types:
            with self._trial.sides[1].connect(setting=QUIET) as new:
                one, other = (rewritten(new, each.answer, last.answer) for each in (first, repeated))
            both = replace(first, answer=one), replace(repeated, answer=other)
            is_rewritten = judgment_of(*both).kind == "same"
        finding = _finding(self._trial, query, judgment, how, (first, last), is_rewritten=is_rewritten)
        if judgment.kind != "timed out":
            errors = first.answer.sqlstate, last.answer.sqlstate
            finding, named = explained_result(
                finding, query, self._trial.shown, judgment, errors, rewritten=is_rewritten
            )
            self.named |= named
        ordered = how.ordered or None
        beside = comparison_of(query.sql, first, last, names, without=judgment.without, ordered=ordered)
        self.found.append(replace(finding, comparison=beside if beside.rows else None))

    def _pass_over(self, kind: str, query: Query, why: str) -> None:
        self.counts[kind] += 1
        self.found.append(NotLookedAt(query.place().where, why))


def _decided(trial: Trial, hows: Sequence[Determinacy]) -> list[Determinacy]:
    """The properties of the results, with the old server's answers."""
    left = [tie.forms for how in hows for tie in how.ties if tie.forms]
    apart: set[Query] = set()
    with trial.sides[0].connect() as connection:
        for number in range(FORMS):  # the next one, only where the server refuses this one
            asked = [forms[number] for forms in left]
            ran = [each.answer for each in execute_all(connection, asked, timeout=trial.timeout)]
            pairs = zip(asked, ran, strict=True)
            apart.update(form for form, each in pairs if not each.sqlstate and not each.sent[0].rows)
            refused = (each.sqlstate not in (None, CANCELED, OUT_OF_MEMORY) for each in ran)
            left = list(itertools.compress(left, refused))
    return [how.decided(apart) for how in hows]


def _with_indexes(trial: Trial, executed: Sequence[tuple[Query, bool]]) -> Iterator[Executed]:
    """The statements that were compared, with the indexes that the new server's plans use."""
    with trial.sides[1].connect() as connection:
        for query, same in executed:
            indexes, sql = indexes_used(connection, query), query.sql.strip().rstrip(";")
            yield Executed(query.place(), sql, query.values, same, indexes)


def _views_of(trial: Trial) -> list[Query]:
    """The queries of the views that files define, as the old server prints them, at the definitions' places."""
    defining = {
        name.removeprefix("view "): query
        for query in trial.application.queries
        if query.kind == "schema" and "view" in query.sql.lower()
        for name in definitions_in([query])
        if name.startswith("view ")
    }
    with trial.sides[0].connect() as connection:
        return [
            replace(defining[name], sql=text, kind="view", inside=f"view {full}", columns=())
            for name, full, text in connection.execute(_VIEWS.encode())
            if name in defining
        ]


def _obstacle(parsed: Parsed, tree: Node | None, unlike: Sequence[str]) -> str:
    """Why a statement can't be executed for a comparison; empty if it can."""
    if name := acts_outside(parsed):
        return f"{name} has effects outside of its transaction"
    read = {name.rpartition(".")[2].strip('"') for name in parsed.names.relations}
    if name := next((each for each in unlike if each.rpartition(".")[2] in read), ""):
        return f"the rows of {name} differ before the statement runs"
    name = differs_by_server(parsed, tree)
    return f"{name} differs from server to server" if name else ""


def _finding(
    trial: Trial,
    query: Query,
    judgment: Judgment,
    how: Determinacy,
    ran: tuple[Ran, Ran],
    *,
    is_rewritten: bool,
) -> Finding:
    """The finding of a judgment. The values may be the same, in another text."""
    new, said = trial.pair.new, judgment.explanation
    if judgment.kind in ("accepted", "timed out"):
        answers = (each.answer for each in ran)
        refusals = (Refusal(each.sqlstate, each.error) if each.sqlstate else None for each in answers)
        severity, certainty, message, advice = judged(trial, *refusals)
    elif judgment.kind == "refused":
        message, severity, certainty = f"{new} refuses it when it runs: {said}", "error", "affects"
        advice = "see what the server says, and change the statement or what it calls"
    else:
        sums = how.adds_up and judgment.types and judgment.types <= FLOATS.keys()
        of_sums = "sums of floating-point numbers depend on the order of rows" if sums else ""
        text = "the values are the same, in another text" if is_rewritten else ""
        uncertain = "; ".join(filter(None, (text, how.left_open, of_sums, _volatile(how))))
        message = f"its result differs on {new}: {said}{f' ({uncertain})' if uncertain else ''}"
        severity, certainty = "warning", "may affect" if uncertain else "affects"
        advice = "see whether the application relies on the old result; state it explicitly"
    if query.values:
        message += f", with {', '.join(f'${at} = {value}' for at, value in enumerate(query.values, 1))}"
    return Finding(
        "results", severity, certainty, message, advice, object=query.inside,
        proof="" if query.values else proof_of(trial, query.sql.strip().rstrip(";"), trial.inputs.loaded),
        sqlstate=judgment.sqlstate if judgment.kind == "refused" else None, **shown_at(query),
    )  # fmt: skip


def _volatile(how: Determinacy) -> str:
    return f"it calls {', '.join(how.volatile)}, which the catalog calls volatile" if how.volatile else ""


def _loads_of(trial: Trial, table: str) -> Iterator[tuple[Query, Node]]:
    """The statements that load a table, INSERT and COPY, with their trees."""
    name = table.rpartition(".")[2]
    for query in (each.query for each in trial.inputs.loaded if name in each.query.sql):
        statement = (read(query.sql) or {}).get("stmt", {})
        load = statement.get("InsertStmt", statement.get("CopyStmt", {}))
        if load.get("relation", {}).get("relname") == name:
            yield query, load


def _changing_in(load: Node, changing: Collection[str]) -> Iterator[str]:
    """The functions of a load whose values change from call to call."""
    for kind, node, _ in nodes_in(load):
        if kind == "SQLValueFunction":
            yield str(node["op"]).removeprefix("SVFOP_").lower()
        elif kind == "FuncCall" and (called := words(node["funcname"])[-1]) in changing:
            yield called


def _maintained(trial: Trial) -> Iterator[Finding]:
    """Maintain both databases. A refusal by the new server alone is a finding."""
    before, after = trial.both(lambda side: maintained(side, MAINTENANCE, trial.long))
    for statement, failure in after.items():
        if failure and not before.get(statement):
            sqlstate, message = failure
            yield Finding(
                "results", "error", "affects",
                f"{trial.pair.new} refuses {statement}: {SqlState(sqlstate)}: {' '.join(message.split())}",
                remedy({sqlstate}, trial.pair.new), object=statement.rpartition(" ")[2],
                proof=proof_of(trial, statement, trial.inputs.loaded), sqlstate=sqlstate,
            )  # fmt: skip
