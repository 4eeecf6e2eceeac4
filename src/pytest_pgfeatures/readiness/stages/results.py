"""The stage ``results``: both servers execute each statement, and their answers and changes are compared."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import replace

import psycopg

from pytest_pgfeatures.readiness.advice import judged, proof_of
from pytest_pgfeatures.readiness.causes import explained_result
from pytest_pgfeatures.readiness.model import Executed, Finding, Found, NotLookedAt, Query
from pytest_pgfeatures.readiness.running import contents, effects
from pytest_pgfeatures.readiness.running.effects import Determinacy, begins_with
from pytest_pgfeatures.readiness.running.execute import Ran, execute_all, indexes_used, noting
from pytest_pgfeatures.readiness.running.judge import FLOATS, Judgment, Runs, comparison_of, judge, rewritten
from pytest_pgfeatures.readiness.running.parameters import Samples, values_of
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.servers.side import AS_REPLICA, QUIET, Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.created_objects import own
from pytest_pgfeatures.readiness.stages.places import created_by, shown_at, shown_refused
from pytest_pgfeatures.readiness.stages.plans import maintained
from pytest_pgfeatures.readiness.stages.schema import refused_by_both
from pytest_pgfeatures.readiness.statements.grammar import Node, nodes_in, read, words
from pytest_pgfeatures.readiness.wording import listed
from pytest_pgfeatures.server.maintenance import MAINTENANCE, remedy
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, within
from pytest_pgfeatures.sqlstate import SqlState
from pytest_pgfeatures.version import VersionSet

_VIEWS = f"""
    SELECT 'view ' || c.relname, format('view %I.%I', n.nspname, c.relname), pg_get_viewdef(c.oid)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE {own("c.oid")} AND c.relkind = 'v' AND c.relpersistence <> 't'
     ORDER BY c.oid
"""
_CATALOGS = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'pg_catalog'::regnamespace"
_EXACT_TEXT = VersionSet(">=12")
"""Floating-point numbers are printed exactly: https://www.postgresql.org/docs/release/12.0/."""
_COUNTED = {
    "same": "with the same result", "failed": "failed on both", "volatile": "volatile",
    "by type": "with values of a parameter's type alone", "parameters": "without values for parameters",
    "left out": "left out",
}  # fmt: skip
_BY_TYPE = "its parameters have values that only fit their types"
_SHOWN = 10  # tables that a message names


def look(trial: Trial) -> Iterator[Found]:
    """Execute the application's statements on both servers, and compare."""
    _ = trial.set_up
    yield from refused_by_both(trial)
    unlike = yield from _same_rows(trial)
    views = _views_of(trial)
    answered = [
        each
        for each in zip(trial.statements, *trial.answers, strict=True)
        if each[0].kind != "body" and each[0].inside is None and begins_with(effects.EXECUTED, each[0].sql)
    ]
    answered += zip(views, *trial.parsed(views), strict=True)
    yield "statements", len(answered)
    yield from ((label, 0) for label in _COUNTED.values())
    planned = yield from _planned(trial, answered, unlike)

    def run(side: Side) -> list[Ran]:
        progress = trial.progress_of(side, "results", len(planned))
        with side.superuser() as root, noting(root), side.connect(setting=QUIET) as connection:
            return execute_all(connection, list(planned), timeout=trial.timeout, progress=progress)

    hows = _decided(trial, list(planned.values()))
    ours, theirs = trial.both(run)
    repeated = run(trial.sides[0])  # in another session
    with trial.sides[1].connect(setting=QUIET) as new:
        for each in zip(planned, hows, zip(ours, repeated, theirs, strict=True), strict=True):
            yield from _compared(trial, new, *each)


def _same_rows(trial: Trial) -> Generator[Found, None, dict[str, str]]:
    """Give both servers the same rows, and maintain these. Return the tables whose rows differ, with the reason."""
    with (
        trial.sides[0].connect() as one,
        trial.sides[1].connect(setting=AS_REPLICA) as other,
        within(one, trial.long),
        within(other, trial.long),
    ):
        for difference in contents.make_same(one, other):
            yield from _of_load(trial, difference, contents.changing_functions(one))
        yield from _maintained(trial)
        differing, empty = contents.differing(one, other)
        unlike = {name: f"the rows of {name} differ before the statement runs" for name in differing}
        refused = ([each is None for each in side.refusals] for side in trial.loaded)
        if next(refused) != next(refused):
            why = "one server refuses a statement of the schema, and {0} may show what it creates"
            unlike |= {name: why.format(name) for (name,) in one.execute(_CATALOGS)}
    if empty:
        yield f"tables without rows: {listed(empty, _SHOWN)}"
    return unlike


def _of_load(trial: Trial, difference: contents.LoadDifference, changing: Collection[str]) -> Iterator[Found]:
    """The other rows that a load leaves, or what fills columns with other values each time."""
    table, (before, after) = difference.table, difference.rows
    loads = list(_loads_of(trial, table))
    called = next((name for _, load in loads for name in _changing_in(load, changing)), "")
    causes = [(column, f"filled by its default {default}") for column, default in difference.changing]
    if called:
        causes += ((column, f"loaded by a statement with {called}") for column, *_ in difference.columns)
    for column, cause in causes:
        yield f"{table}.{column} is {cause}; {trial.pair.new} got the values of {trial.pair.old}"
    shown = shown_at(loads[0][0]) if loads else {}
    finding = functools.partial(Finding, "results", object=f"table {table}", **shown)
    if before != after:
        said = f"the same load leaves {after} rows on {trial.pair.new}, {before} on {trial.pair.old}"
        advice = "see what the stage schema says of the statements that load it"
        yield finding("error", "affects", said, advice)
    for column, one, other in difference.columns if before == after and not called else ():
        said = f"the same load leaves other values in {column} on {trial.pair.new}: {one} -> {other}"
        advice = "see whether the values are constants, and write them so that both versions read the same"
        yield finding("warning", "may affect", said, advice)


def _planned(
    trial: Trial, answered: Sequence[tuple[Query, Parsed, Parsed]], unlike: Mapping[str, str]
) -> Generator[Found, None, dict[Query, Determinacy]]:
    """The statements that both servers accept, with values of their parameters, and that read the same rows."""
    found: dict[Query, Determinacy] = {}
    with trial.sides[0].connect() as connection:
        limit = f"SET statement_timeout = {trial.timeout * 1000:.0f}"
        connection.execute(f"{limit}; SET default_transaction_read_only = on".encode())
        samples = Samples(connection)
        for query, before, after in answered:
            if before.refusal or after.refusal:
                yield _COUNTED["left out"], 1  # the stage queries reports it
                continue
            tree = read(query.sql)
            if why := _obstacle(before, tree, unlike):
                yield from _passed_over("left out", query, why)
                continue
            values = values_of(query, before.parameters, tree, trial.inputs.parameters.of(query), samples)
            if isinstance(values, int):
                name = f" ({query.names[values - 1]})" if any(query.names[values - 1 : values]) else ""
                why = f"no value is known for the parameter ${values}{name}"
                yield from _passed_over("parameters", query, f"{why}: write one into a file for --parameters")
                continue
            yield _COUNTED["by type"], bool(values[1])
            given = replace(query, values=values[0])
            how = effects.determinacy(given, tree, before.names.called)
            how = how._replace(left_open=_BY_TYPE if values[1] else how.left_open)
            if query.kind == "view":  # servers print a view's query differently
                given = replace(given, sql=f"SELECT * FROM {str(query.inside).removeprefix('view ')}")
            found[given] = how
    return found


def _passed_over(kind: str, query: Query, why: str) -> Iterator[Found]:
    yield _COUNTED[kind], 1
    yield NotLookedAt(query.place().where, why)


def _compared(
    trial: Trial, new: psycopg.Connection, query: Query, how: Determinacy, runs: Runs
) -> Iterator[Found]:
    """Compare the results of a statement, given a connection to the new server."""
    names = str(trial.pair.old), str(trial.pair.new)
    inexact = how.adds_up and (trial.pair.old in _EXACT_TEXT or trial.pair.new not in _EXACT_TEXT)
    judged_by = functools.partial(judge, query.sql, names=names, how=how, inexact=inexact)
    judgment, (first, _, last) = judged_by(runs), runs
    if judgment.kind in ("failed", "volatile"):
        why = "; ".join(filter(None, (judgment.explanation, _volatile(how))))
        yield from _passed_over(judgment.kind, query, why)
        return
    compared = judgment.kind in ("same", "differs") and not judgment.without
    if compared and not first.did and not last.did and begins_with(effects.READING, query.sql):
        sql, is_same = query.sql.strip().rstrip(";"), judgment.kind == "same"
        yield Executed(query.place(), sql, query.values, is_same, indexes_used(new, query))
    if judgment.kind == "same":
        yield _COUNTED["same"], 1
        return
    anew = (replace(each, answer=rewritten(new, each.answer, last.answer)) for each in runs[:2])
    is_rewritten = bool(judgment.types) and judged_by((next(anew), next(anew), last)).kind == "same"
    sums = how.adds_up and judgment.types and judgment.types <= FLOATS.keys()
    of_sums = "sums of floating-point numbers depend on the order of rows" if sums else ""
    text = "the values are the same, in another text" if is_rewritten else ""
    uncertain = "; ".join(filter(None, (text, how.left_open, of_sums, _volatile(how))))
    finding = _finding(trial, query, judgment, uncertain, (first, last))
    if judgment.kind != "timed out":
        finding, named = explained_result(finding, query, trial.shown, judgment, rewritten=is_rewritten)
        yield from sorted(named)
    beside = comparison_of(query.sql, first, last, names, without=judgment.without, ordered=how.ordered)
    yield replace(finding, comparison=beside if beside.rows else None)


def _decided(trial: Trial, hows: Sequence[Determinacy]) -> list[Determinacy]:
    """The properties of the results, with the old server's answers."""
    left = [tie.forms for how in hows for tie in how.ties if tie.forms]
    apart: set[Query] = set()
    with trial.sides[0].connect() as connection:
        for number in range(effects.FORMS):  # the next one, only where the server refuses this one
            asked = [forms[number] for forms in left]
            ran = [each.answer for each in execute_all(connection, asked, timeout=trial.timeout)]
            pairs = zip(asked, ran, strict=True)
            apart.update(form for form, each in pairs if not each.sqlstate and not each.sent[0].rows)
            refused = (each.sqlstate not in (None, CANCELED, OUT_OF_MEMORY) for each in ran)
            left = list(itertools.compress(left, refused))
    return [how.decided(apart) for how in hows]


def _views_of(trial: Trial) -> list[Query]:
    """The queries of the views that files define, as the old server prints them, at the definitions' places."""
    schema = (query for query in trial.application.queries if query.kind == "schema")
    defining = {created_by(query): query for query in schema if "view" in query.sql.lower()}
    with trial.sides[0].connect() as connection:
        return [
            replace(defining[name], sql=text, kind="view", inside=inside, columns=())
            for name, inside, text in connection.execute(_VIEWS.encode())
            if name in defining
        ]


def _obstacle(parsed: Parsed, tree: Node | None, unlike: Mapping[str, str]) -> str:
    """Why a statement can't be executed for a comparison; empty if it can."""
    if name := effects.acts_outside(parsed):
        return f"{name} has effects outside of its transaction"
    read = {name.rpartition(".")[2].strip('"') for name in parsed.names.relations}
    if why := next((why for each, why in unlike.items() if each.rpartition(".")[2] in read), ""):
        return why
    name = effects.differs_by_server(parsed, tree)
    return f"{name} differs from server to server" if name else ""


def _finding(trial: Trial, query: Query, judgment: Judgment, uncertain: str, ran: tuple[Ran, Ran]) -> Finding:
    """The finding of a judgment, given why other values may be by chance."""
    shown = shown_at(query)
    if judgment.kind != "differs":
        answers = (each.answer for each in ran)
        refusals = [Refusal(each.sqlstate, each.error) if each.sqlstate else None for each in answers]
        severity, certainty, message, advice = judged(trial, *refusals)
        shown = next(shown_refused(query, each) for each in refusals[::-1] if each)
    else:
        message = f"its result differs on {trial.pair.new}: {judgment.explanation}"
        message += f" ({uncertain})" if uncertain else ""
        severity, certainty = "warning", "may affect" if uncertain else "affects"
        advice = "see whether the application relies on the old result; state it explicitly"
    if query.values:
        message += f", with {', '.join(f'${at} = {value}' for at, value in enumerate(query.values, 1))}"
    return Finding(
        "results", severity, certainty, message, advice, object=query.inside,
        proof="" if query.values else proof_of(trial, query.sql.strip().rstrip(";"), trial.inputs.loaded),
        sqlstate=judgment.sqlstate, **shown,
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
