"""The stage ``schema``: both servers load it, and the created objects are compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_pgfeatures.readiness.advice import judged, lacking, proof_of, proof_of_commands
from pytest_pgfeatures.readiness.causes import missing_objects
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
from pytest_pgfeatures.readiness.model import Finding, Found, Place, reporting
from pytest_pgfeatures.readiness.names import altered_in
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.questions import is_refused_by_both, said_once
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.bodies import look_at_bodies
from pytest_pgfeatures.readiness.stages.created_objects import compare_created
from pytest_pgfeatures.readiness.stages.places import (
    Shown,
    created_by,
    definitions_in,
    excerpt_at,
    first_of,
    shown_refused,
)
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.sql import tokens

_VARIABLE = re.compile(r":[\"']?([A-Za-z_]\w*)")
_BY_ROLE = re.compile("permission denied|must (?:be|have) ")
"""Output of a command that fails because of the role that runs it; a proof is run by a superuser."""
_SHOWN = 20  # statements that a problem lists


@reporting("schema")
def look(trial: Trial) -> Iterator[Found]:
    """Load the schema into both servers, and compare."""
    statements = [sent.query for sent in trial.inputs.loaded]
    answers = _loaded(trial)
    by_one = [(sent, old, new) for sent, old, new, both in answers if (old or new) and not both]
    yield "statements", len(statements)
    yield "refused by both", sum(both for *_, both in answers)
    for each in by_one:
        yield _finding(trial, *each)
    yield from _problems(trial)
    said_old, said_new = trial.set_up
    if said_old is not None:
        yield f"on {trial.pair.old}: {said_old}"
    elif said_new is not None:
        yield _failed_setup(trial, said_new)
    refused = (sent.query.sql for sent, old, new in by_one if old is None or new is None)
    altered = frozenset(column for sql in refused for column in altered_in(sql))
    yield from look_at_bodies(trial, statements)
    yield from compare_created(trial, definitions_in(statements), altered)


def _loaded(trial: Trial) -> list[tuple[Loadable, Refusal | None, Refusal | None, bool]]:
    """The statements, each with the answers of the old and the new server, and whether both refuse it."""
    said = zip(trial.inputs.loaded, *(side.refusals for side in trial.loaded), strict=True)
    return [(sent, old, new, is_refused_by_both(sent.query.sql, old, new)) for sent, old, new in said]


def _finding(trial: Trial, sent: Loadable, old: Refusal | None, new: Refusal | None) -> Finding:
    """The finding about a statement that one of the servers refuses."""
    refusal = new or old
    assert refusal is not None
    # a superuser, who has more time and memory, may not be refused
    is_proved = not (refusal.is_limit or (refusal.sqlstate == NOT_ALLOWED and not trial.trusted))
    first = next(token.start for token in tokens(sent.query.sql) if token.significant)
    loaded = trial.inputs.loaded[: trial.inputs.loaded.index(sent) + 1]
    return Finding(
        "schema", *judged(trial, old, new),
        object=None if refusal.is_limit else created_by(sent.query), sqlstate=refusal.sqlstate,
        proof=proof_of(trial, "", loaded, only=sent.query.place(first).where) if is_proved else "",
        **_shown(sent, refusal),
    )  # fmt: skip


def _shown(sent: Loadable, refusal: Refusal) -> Shown:
    """The place of an error: in the statement, or in the data of COPY."""
    if refusal.row is None or not sent.data_line:
        return shown_refused(sent.query, refusal)
    row = "".join(sent.data.split("\n")[refusal.row - 1 : refusal.row])
    return {"place": Place(sent.query.file, sent.data_line + refusal.row - 1), "excerpt": row}


def refused_by_both(trial: Trial) -> list[str]:
    """Statements of the schema and the data that both servers refuse, as lines for the user, one for each reason;
    empty if there are none. Of an object that one of them would create, the reason names that one."""
    refused = [(sent, old) for sent, old, _, by_both in _loaded(trial) if old and by_both]
    creating = {created_by(sent.query): sent.query.place() for sent, _ in reversed(refused)}

    def why(refusal: Refusal) -> str:
        if refusal.timed_out:
            return f"it had not finished after {trial.timeout:.0f} s"
        place = next((creating[each] for each in missing_objects(refusal.message) if each in creating), None)
        return refusal.said + (f", as {place.where} is refused" if place else "")

    lines = said_once((_shown(sent, old)["place"], why(old)) for sent, old in refused)
    are = "statement of the schema is" if len(refused) == 1 else "statements of the schema are"
    label = f"{len(refused)} {are} refused by {trial.pair.old}, too"
    return _listed(label, [": ".join(each) for each in lines])


def _listed(label: str, lines: Sequence[str]) -> list[str]:
    """A problem with its statements, as lines for the user; none without statements."""
    return [f"{label}:", *(f"  {line}" for line in first_of(lines, _SHOWN))] if lines else []


def _problems(trial: Trial) -> Iterator[str]:
    """The problems with loading the schema, and the names that its files need and nobody defines: those of psql's
    variables, and of extensions."""
    if roles := sorted({role for loaded in trial.loaded for role in loaded.roles}):
        yield f"roles that the schema names and does not create were created: {', '.join(roles)}"
    defined = {number for loaded in trial.loaded for number in loaded.defined}
    ran = [_line_of(sent) for number, sent in enumerate(trial.inputs.loaded) if number in defined]
    why = "statements were run as superuser, as they need one and run no code of the schema"
    yield from _listed(f"{len(ran)} {why}", ran)
    refused = [
        _line_of(sent)
        for sent, old, new, _ in _loaded(trial)
        if not trial.trusted and NOT_ALLOWED in (each and each.sqlstate for each in (old, new))
    ]
    why = "statements may need a superuser, and --trust runs them as one"
    yield from _listed(f"{len(refused)} {why}", refused)
    yield from refused_by_both(trial)
    found = (
        _VARIABLE.match(sent.query.sql, refusal.position)
        for sent, refusal, *_ in _loaded(trial)
        if refusal is not None and refusal.position is not None
    )
    if variables := list(dict.fromkeys(each[1] for each in found if each)):
        advice = f"write \\set {variables[0]} VALUE into a file, and name that file first in --schema"
        yield f"psql's variables without a value: {', '.join(variables)}; {advice}"
    for side, loaded in zip(trial.sides, trial.loaded, strict=True):
        if names := dict.fromkeys(name for each in loaded.refusals if each and (name := lacking(each))):
            advice = "what depends on it is not looked at; name an install that has it, such as path:DIR"
            yield f"the install of {side.install.version} lacks {', '.join(names)}: {advice}"


def _line_of(sent: Loadable) -> str:
    return f"{sent.query.place().where}: {excerpt_at(sent.query.sql)}"


def _failed_setup(trial: Trial, said: str) -> Finding:
    first, *rest = said.split("\n")
    is_proved = trial.trusted or _BY_ROLE.search(said) is None
    return Finding(
        "schema", "error", "affects", f"on {trial.pair.new}, {first}; on {trial.pair.old} it succeeded",
        "see the last lines of its output", excerpt=rest[-1] if rest else "", object="\n".join(rest) or None,
        proof=proof_of_commands(trial) if is_proved else "",
    )  # fmt: skip
