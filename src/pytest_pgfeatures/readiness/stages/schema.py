"""The stage ``schema``: both servers load it, and the created objects are compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import Finding, Place, StageReport
from pytest_pgfeatures.readiness.proofs import proof_of_commands, proof_of_loading
from pytest_pgfeatures.readiness.remedies import lacking, remedy_of
from pytest_pgfeatures.readiness.stages.bodies import look_at_bodies
from pytest_pgfeatures.readiness.stages.created_objects import compare_created
from pytest_pgfeatures.readiness.stages.places import definitions_in, excerpt_at, refused_at
from pytest_pgfeatures.readiness.stages.plpgsql_check import look_with_plpgsql_check
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.server.watchdog import MEMORY
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable
    from pytest_pgfeatures.readiness.model import Certainty
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.trial import Trial

_VARIABLE = re.compile(r":[\"']?([A-Za-z_]\w*)")
_BY_ROLE = re.compile("permission denied|must (?:be|have) ")
"""Output of a command that fails because of the role that runs it; a proof is run by a superuser."""
_SHOWN = 20
"""The maximum number of statements to list that both servers reject."""


def look(trial: Trial) -> StageReport:
    """Load the schema into both servers, and compare."""
    statements = trial.inputs.loaded
    before, after = trial.loaded
    findings: list[Finding] = []
    for sent, old, new in zip(statements, before.refusals, after.refusals, strict=True):
        finding = _finding(trial, sent, old, new)
        if finding is not None:
            findings.append(finding)
    by_both = list(_refused_by_both(trial))
    problems = _problems(trial)
    said_old, said_new = trial.set_up
    if said_new is not None and said_old is None:
        findings.append(_failed_setup(trial, said_new))
    elif said_old is not None:
        problems.append(f"on {trial.pair.old}: {said_old}")
    refused, functions = look_at_bodies(trial, [sent.query for sent in statements])
    errors, checked, not_checked = look_with_plpgsql_check(trial, [sent.query for sent in statements])
    known = {(finding.object, finding.place) for finding in refused}
    findings += [*refused, *(finding for finding in errors if (finding.object, finding.place) not in known)]
    created, not_compared = compare_created(trial, definitions_in([sent.query for sent in statements]))
    counts = (
        ("statements", len(statements)),
        ("refused by both", len(by_both)),
        ("function bodies checked", functions),
        *checked,
        ("objects compared", created.compared),
    )
    return StageReport(
        "schema", (*findings, *created.findings), counts, tuple(problems), (*not_compared, *not_checked)
    )


def _finding(trial: Trial, sent: Loadable, old: Refusal | None, new: Refusal | None) -> Finding | None:
    if (old is None) == (new is None):
        return None
    refusal = new or old
    assert refusal is not None
    versions = (trial.pair.old, trial.pair.new)
    refusing, other = reversed(versions) if new else versions
    place = _place(sent, refusal)
    at = refused_at(sent.query.sql, refusal)
    excerpt = excerpt_at(sent.query.sql, at) if refusal.row is None else _row(sent, refusal.row)
    proof = proof_of_loading(trial, sent) if _depends_on_the_statement(trial, refusal) else ""
    if refusal.is_limit:
        said, advice = (
            f"ends it: {_said(refusal)}; {other} took less",
            f"raise {MEMORY} to see whether it runs",
        )
        if refusal.timed_out:
            said = f"had not finished after {trial.timeout:.0f} s; {other} had"
            advice = "see whether the statement waits for something, or raise --timeout"
        return Finding(
            "schema", "warning", "may affect", f"{refusing} {said}", advice,
            place=place, excerpt=excerpt, proof=proof, sqlstate=refusal.sqlstate,
        )  # fmt: skip
    if new is None:
        return Finding(
            "schema", "note", "may affect",
            f"{other} accepts what {refusing} refuses: {_said(refusal)}",
            "nothing, unless something relies on the error",
            object=_created_by(sent), place=place, excerpt=excerpt, proof=proof, sqlstate=refusal.sqlstate,
        )  # fmt: skip
    certainty: Certainty = "affects" if lacking(refusal) is None else "may affect"
    return Finding(
        "schema", "error", certainty, f"{refusing} refuses it: {_said(refusal)}", remedy_of(refusal),
        object=_created_by(sent), place=place, excerpt=excerpt, proof=proof, sqlstate=refusal.sqlstate,
    )  # fmt: skip


def _created_by(sent: Loadable) -> str | None:
    """The object that a statement creates, such as ``table orders``; the columns that it adds."""
    created = list(definitions_in([sent.query]))
    return ", ".join(each for each in created if each.startswith("column ")) or next(iter(created), None)


def _depends_on_the_statement(trial: Trial, refusal: Refusal) -> bool:
    """Whether a superuser, who has more time and memory, is refused, too."""
    return not (refusal.is_limit or (refusal.sqlstate == NOT_ALLOWED and not trial.trusted))


def _place(sent: Loadable, refusal: Refusal) -> Place:
    if refusal.row is not None and sent.data_line:
        return Place(sent.query.file, sent.data_line + refusal.row - 1)
    at = refused_at(sent.query.sql, refusal)
    return sent.query.place(at if at is not None else _first(sent.query.sql))


def _first(sql: str) -> int:
    return len(sql) - len(sql.lstrip())


def _row(sent: Loadable, row: int) -> str:
    return "".join(sent.data.split("\n")[row - 1 : row])


def _said(refusal: Refusal) -> str:
    return f"{SqlState(refusal.sqlstate)}: {refusal.message}"


def _refused_by_both(trial: Trial) -> Iterator[str]:
    before, after = trial.loaded
    for sent, old, new in zip(trial.inputs.loaded, before.refusals, after.refusals, strict=True):
        if old is not None and new is not None:
            said = f"it had not finished after {trial.timeout:.0f} s" if old.timed_out else _said(old)
            yield f"{_place(sent, old).file}:{_place(sent, old).line}: {said}"


def refused_by_both(trial: Trial) -> list[str]:
    """Statements of the schema and the data that both servers refuse, as lines for the user; empty if there
    are none."""
    by_both = list(_refused_by_both(trial))
    if not by_both:
        return []
    lines = [f"{len(by_both)} statements of the schema are refused by {trial.pair.old}, too:"]
    lines += [f"  {line}" for line in by_both[:_SHOWN]]
    return lines + ([f"  and {len(by_both) - _SHOWN} more"] if len(by_both) > _SHOWN else [])


def _problems(trial: Trial) -> list[str]:
    problems = []
    roles = sorted({*trial.loaded[0].roles, *trial.loaded[1].roles})
    if roles:
        problems.append(f"roles that the schema names and does not create were created: {', '.join(roles)}")
    problems += _by_superuser(trial)
    problems += refused_by_both(trial)
    return [*problems, *_missing(trial)]


def _by_superuser(trial: Trial) -> Iterator[str]:
    """The statements that a superuser ran, and those that run only with --trust."""
    statements = trial.inputs.loaded
    defined = sorted({number for loaded in trial.loaded for number in loaded.defined})
    if defined:
        yield f"{len(defined)} statements were run as superuser, as they need one and run no code of the schema:"
        yield from _places_of([statements[number] for number in defined])
    refused = [
        sent
        for sent, *refusals in zip(statements, *(loaded.refusals for loaded in trial.loaded), strict=True)
        if any(refusal is not None and refusal.sqlstate == NOT_ALLOWED for refusal in refusals)
    ]
    if refused and not trial.trusted:
        yield f"{len(refused)} statements may need a superuser, and --trust runs them as one:"
        yield from _places_of(refused)


def _places_of(sent: Sequence[Loadable]) -> Iterator[str]:
    for each in sent[:_SHOWN]:
        place = each.query.place(_first(each.query.sql))
        yield f"  {place.file}:{place.line}: {excerpt_at(each.query.sql, None)}"
    if len(sent) > _SHOWN:
        yield f"  and {len(sent) - _SHOWN} more"


def _missing(trial: Trial) -> Iterator[str]:
    """Names that the schema's files need and nobody defines: variables of psql, and extensions of the installs."""
    variables: dict[str, None] = {}
    for sent, refusal in zip(trial.inputs.loaded, trial.loaded[0].refusals, strict=True):
        if refusal is not None and refusal.position is not None:
            found = _VARIABLE.match(sent.query.sql, refusal.position)
            variables.update({found[1]: None} if found else {})
    if variables:
        yield (
            f"psql's variables without a value: {', '.join(variables)}; write \\set {next(iter(variables))} VALUE"
            " into a file, and name that file first in --schema"
        )
    for side, loaded in zip(trial.sides, trial.loaded, strict=True):
        names = dict.fromkeys(name for each in loaded.refusals if each and (name := lacking(each)))
        if names:
            yield (
                f"the install of {side.install.version} lacks {', '.join(names)}: what depends on it is not looked"
                " at; name an install that has it, such as path:DIR"
            )


def _failed_setup(trial: Trial, said: str) -> Finding:
    first, *rest = said.split("\n")
    is_proved = trial.trusted or _BY_ROLE.search(said) is None
    return Finding(
        "schema", "error", "affects", f"on {trial.pair.new}, {first}; on {trial.pair.old} it succeeded",
        "see the last lines of its output", excerpt=rest[-1] if rest else "", object="\n".join(rest) or None,
        proof=proof_of_commands(trial) if is_proved else "",
    )  # fmt: skip
