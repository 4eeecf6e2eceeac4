"""The stage ``results``: both servers execute each statement, and their answers and changes are compared."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.model import Executed, Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_data
from pytest_pgfeatures.readiness.running.column_values import ColumnValues
from pytest_pgfeatures.readiness.running.determinacy import determinacy_of
from pytest_pgfeatures.readiness.running.effects import OUTSIDE, begins_as_query
from pytest_pgfeatures.readiness.running.execute import Execution, execute_all, indexes_used
from pytest_pgfeatures.readiness.running.judge import judge
from pytest_pgfeatures.readiness.running.keys import keys_in
from pytest_pgfeatures.readiness.running.notifications import noting
from pytest_pgfeatures.readiness.running.parameters import values_of
from pytest_pgfeatures.readiness.running.reading import MISSING, available, read
from pytest_pgfeatures.readiness.running.rounding import FLOATS
from pytest_pgfeatures.readiness.running.same_rows import differing, make_same
from pytest_pgfeatures.readiness.running.side_by_side import comparison_of
from pytest_pgfeatures.readiness.servers.loading import without_comments
from pytest_pgfeatures.readiness.servers.parsing import signatures
from pytest_pgfeatures.readiness.servers.side import AS_REPLICA
from pytest_pgfeatures.readiness.stages.places import excerpt_at
from pytest_pgfeatures.readiness.stages.result_causes import ResultCauses
from pytest_pgfeatures.readiness.stages.schema import refused_by_both
from pytest_pgfeatures.readiness.stages.views import executed, views_of
from pytest_pgfeatures.server.maintenance import maintain_database, remedy
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.determinacy import Determinacy
    from pytest_pgfeatures.readiness.running.execute import Ran
    from pytest_pgfeatures.readiness.running.judge import Judgment
    from pytest_pgfeatures.readiness.running.same_rows import LoadDifference
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

_EXECUTED = re.compile(r"\(*\s*(?:select|insert|update|delete|merge|values|with|table|call)\b", re.IGNORECASE)
_CHANGING = re.compile(
    r"\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|gen_random_uuid"
    r"|uuid_generate_v\w+|txid_current)\s*\(|\b(?:current_\w+|localtime\w*)\b",
    re.IGNORECASE,
)
"""Values that differ from load to load."""
_OF_SERVER = re.compile(
    r"\bserver_version(?:_num)?\b|\bversion\s*\(\s*\)|\bpg_stat(?:io)?_\w+|\bpg_locks\b|\bpg_database_size\b",
    re.IGNORECASE,
)
"""Functions whose results differ between servers of any version."""
_EXACT_TEXT = VersionSet(">=12")
"""Floating-point numbers are printed exactly: https://www.postgresql.org/docs/release/12.0/."""
_SECONDS = 600.0
"""The shortest time limit for comparing all rows, or maintaining a database, in seconds."""
_SHOWN = 10
"""The number of tables that a message names."""


class _Plan(NamedTuple):
    """The statements to execute, each with its values and the known facts about it."""

    executions: list[Execution]
    known: list[tuple[Determinacy, tuple[str, ...]]]


def look(trial: Trial) -> StageReport:
    """Execute the application's statements on both servers, and compare."""
    _ = trial.loaded, trial.set_up
    counts: Counter[str] = Counter()
    not_looked_at: list[NotLookedAt] = []
    findings: list[Finding] = []
    executed: list[tuple[Execution, bool]] = []
    problems = [*([] if available() else [MISSING]), *refused_by_both(trial)]
    old, new = trial.sides
    seconds = max(trial.timeout, _SECONDS)
    with (
        old.connect() as one,
        new.connect(setting=AS_REPLICA) as other,
        within(one, seconds),
        within(other, seconds),
    ):
        for difference in make_same(one, other):
            _report_load(trial, difference, findings, problems)
    findings += _maintained(trial)
    with old.connect() as one, new.connect() as other, within(one, seconds), within(other, seconds):
        unlike, empty = differing(one, other)
    if empty:
        more = f", and {len(empty) - _SHOWN} more" if len(empty) > _SHOWN else ""
        problems.append(f"tables without rows: {', '.join(empty[:_SHOWN])}{more}")
    queries = [query for query in trial.application.queries if _is_candidate(query)] + views_of(trial)
    plan = _planned(trial, queries, unlike, counts, not_looked_at)

    def run(side: Side) -> list[Ran]:
        def progress(done: int) -> None:
            if side is old:
                trial.progress("results", done, len(plan.executions))

        statements = (each.query.sql for each in plan.executions)
        with (
            side.superuser() as superuser,
            noting(superuser, statements),
            side.connect() as connection,
        ):
            return execute_all(connection, plan.executions, timeout=trial.timeout, progress=progress)

    ours, theirs = trial.both(run)
    repeated = run(old)  # in another session
    names = (str(trial.pair.old), str(trial.pair.new))
    causes = ResultCauses(trial)
    for each, (how, volatile), first, second, last in zip(
        plan.executions, plan.known, ours, repeated, theirs, strict=True
    ):
        inexact = how.adds_up and (trial.pair.old in _EXACT_TEXT or trial.pair.new not in _EXACT_TEXT)
        judgment = judge(each.query.sql, first, second, last, names, how, inexact=inexact)
        counts[judgment.kind] += 1
        compared = judgment.kind in ("same", "differs") and not judgment.without
        if compared and _is_reading(each.query.sql, first, last):
            executed.append((each, judgment.kind == "same"))
        if judgment.kind in ("failed", "volatile"):
            not_looked_at.append(NotLookedAt(_at(each.query), judgment.explanation + _named(volatile)))
        elif (finding := _finding(trial, each, judgment, how, volatile)) is not None:
            if judgment.kind == "differs":
                finding = causes.explained(finding, each.query, judgment.types)
            elif judgment.kind in ("refused", "accepted"):
                finding = causes.explained_error(finding, each.query, _sqlstate(judgment))
            beside = comparison_of(
                each.query.sql,
                first,
                last,
                names,
                without=judgment.without,
                ordered=True if how.ordered else None,
            )
            findings.append(replace(finding, comparison=beside if beside.rows else None))
    return StageReport(
        "results", tuple(findings), _counted(counts, len(queries)), tuple(problems), tuple(not_looked_at),
        executed=tuple(_with_indexes(trial, executed)), named=tuple(sorted(causes.named)),
    )  # fmt: skip


def _is_reading(sql: str, *runs: Ran) -> bool:
    return not any(ran.changed for ran in runs) and begins_as_query(sql)


def _with_indexes(trial: Trial, executed: Sequence[tuple[Execution, bool]]) -> Iterator[Executed]:
    """The statements, with the indexes that the new server's plans use."""
    with trial.sides[1].connect() as connection:
        for each, same in executed:
            indexes = indexes_used(connection, each)
            place = each.query.place(len(each.query.sql) - len(each.query.sql.lstrip()))
            yield Executed(place, each.query.sql.strip().rstrip(";"), each.values, same, indexes)


def _counted(counts: Counter[str], statements: int) -> tuple[tuple[str, int], ...]:
    shown = {
        "same": "with the same result", "failed": "failed on both", "volatile": "volatile",
        "by type": "with values of a parameter's type alone", "parameters": "without values for parameters",
        "left out": "left out",
    }  # fmt: skip
    return (("statements", statements), *((label, counts[name]) for name, label in shown.items()))


def _is_candidate(query: Query) -> bool:
    return (
        query.kind not in ("schema", "data", "body", "view")
        and query.inside is None
        and _EXECUTED.match(without_comments(query.sql)) is not None
    )


def _planned(
    trial: Trial,
    queries: Sequence[Query],
    unlike: Sequence[str],
    counts: Counter[str],
    not_looked_at: list[NotLookedAt],
) -> _Plan:
    """The statements that both servers accept and whose parameters have values."""
    plan = _Plan([], [])
    changing = re.compile(
        r"\b(?:" + "|".join(re.escape(name.rpartition(".")[2]) for name in unlike) + r")\b"
        if unlike
        else r"(?!)"
    )
    parsed, parsed_by_new = trial.parsed(queries)
    with trial.sides[0].connect() as connection:
        columns, keys, volatile = ColumnValues(connection), keys_in(connection), _volatile(connection)
        for query, before, after in zip(queries, parsed, parsed_by_new, strict=True):
            if before.refusal is not None or after.refusal is not None:
                counts["left out"] += 1  # the stage queries reports it
                continue
            if (found := OUTSIDE.search(query.sql) or changing.search(query.sql)) is not None:
                counts["left out"] += 1
                why = f"{found[0].rstrip('( ')} has effects outside of its transaction"
                if not OUTSIDE.search(query.sql):
                    why = f"the rows of {found[0]} differ before the statement runs"
                not_looked_at.append(NotLookedAt(_at(query), why))
                continue
            if (found := _OF_SERVER.search(query.sql)) is not None:
                counts["left out"] += 1
                not_looked_at.append(NotLookedAt(_at(query), f"{found[0]} differs from server to server"))
                continue
            tree = read(query.sql)
            values = values_of(query, before.parameters, tree, trial.inputs.parameters, columns)
            if isinstance(values, int):
                counts["parameters"] += 1
                name = "".join(query.names[values - 1 : values])
                shown = f"${values} ({name})" if name else f"${values}"
                why = f"no value is known for the parameter {shown}: write one into a file for --parameters"
                not_looked_at.append(NotLookedAt(_at(query), why))
                continue
            counts["by type"] += bool(values.by_type)
            plan.executions.append(Execution(executed(query), values.values))
            called = tuple(sorted(volatile & before.resolved))
            plan.known.append((determinacy_of(tree, keys, {_name(each) for each in called}), called))
    return plan


def _volatile(connection: psycopg.Connection) -> set[str]:
    """The signatures of the functions that the catalog calls volatile."""
    named = signatures(connection, "regprocedure", "pg_proc")
    volatile = connection.execute("SELECT oid::bigint FROM pg_catalog.pg_proc WHERE provolatile = 'v'")
    return {named[oid] for (oid,) in volatile}


def _name(signature: str) -> str:
    """The name of a function, without its schema and arguments."""
    return signature.partition("(")[0].rpartition(".")[2].strip('"')


def _named(volatile: Sequence[str]) -> str:
    return f"; it calls {', '.join(volatile)}, which the catalog calls volatile" if volatile else ""


def _at(query: Query) -> str:
    place = query.place(len(query.sql) - len(query.sql.lstrip()))
    return f"{place.file}:{place.line}"


def _finding(
    trial: Trial, each: Execution, judgment: Judgment, how: Determinacy, volatile: tuple[str, ...]
) -> Finding | None:
    query, new = each.query, trial.pair.new
    uncertain = [how.left_open] if how.left_open else []
    if how.adds_up and judgment.types and judgment.types <= FLOATS:
        uncertain.append("sums of floating-point numbers depend on the order of rows")
    uncertain += [f"it calls {', '.join(volatile)}, which the catalog calls volatile"] if volatile else []
    match judgment.kind:
        case "same":
            return None
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
    if each.values:
        message += f", with {', '.join(f'${at} = {value}' for at, value in enumerate(each.values, 1))}"
    return Finding(
        "results", severity, "may affect" if uncertain else "affects", message, advice,  # type: ignore[arg-type]
        place=query.place(len(query.sql) - len(query.sql.lstrip())),
        object=query.inside,
        excerpt=excerpt_at(query.sql, None),
        proof="" if each.values else with_data(trial, query.sql.strip().rstrip(";")),
        sqlstate=_sqlstate(judgment) if judgment.kind == "refused" else None,
    )  # fmt: skip


def _sqlstate(judgment: Judgment) -> str:
    """The error of the version that refuses a statement."""
    return judgment.explanation[:5]


def _report_load(
    trial: Trial, difference: LoadDifference, findings: list[Finding], problems: list[str]
) -> None:
    for column, default in difference.changing:
        problems.append(
            f"{difference.table}.{column} is filled by its default {default}; {trial.pair.new} got the"
            f" values of {trial.pair.old}"
        )
    old, new = difference.rows
    if old != new:
        row_counts = f"{new} rows on {trial.pair.new}, {old} on {trial.pair.old}"
        findings.append(
            Finding(
                "results", "error", "affects", f"the same load leaves {row_counts}",
                "see what the stage schema says of the statements that load it", object=f"table {difference.table}",
            )
        )  # fmt: skip
        return
    changing = _changing_load(trial, difference.table)
    for column, before, after in difference.columns:
        if changing:
            problems.append(
                f"{difference.table}.{column} is loaded by a statement with {changing}; {trial.pair.new} got"
                f" the values of {trial.pair.old}"
            )
            continue
        findings.append(
            Finding(
                "results", "warning", "may affect",
                f"the same load leaves other values in {column} on {trial.pair.new}: {before} -> {after}",
                "see whether the values are constants, and write them so that both versions read the same",
                object=f"table {difference.table}",
            )
        )  # fmt: skip


def _changing_load(trial: Trial, table: str) -> str:
    """The columns that the load fills with a different value each time."""
    name = re.compile(rf"\binto\s+\S*\b{re.escape(table.rpartition('.')[2])}\b", re.IGNORECASE)
    for sent in trial.inputs.loaded:
        if name.search(sent.query.sql) and (found := _CHANGING.search(sent.query.sql)) is not None:
            return found[0].rstrip("( ")
    return ""


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
