"""Merge the results of several runs: the JSON documents that ``verify``, pytest, ``extension`` and
``readiness`` wrote."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.json_values import FormError, from_plain
from pytest_pgfeatures.report.differences import natural
from pytest_pgfeatures.report.document import FORMAT, ExtensionDocument, MatrixDocument
from pytest_pgfeatures.results.model import InstallUsed, JobResults, Result, installs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.report.document import MajorObject
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked, ReadinessDocument

Kind = Literal["verify or pytest", "extension", "readiness"]
_KEYS: dict[Kind, frozenset[str]] = {
    "verify or pytest": frozenset({"command", "results", "cells"}),
    "extension": frozenset({"majors", "results"}),
    "readiness": frozenset({"findings", "behaviors"}),
}
"""The keys that identify a document of each kind."""
_WRITERS = "write it with --json FILE of pgfeatures verify, extension or readiness, or pytest --pg-json FILE"
_TWICE_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read.

    Parameters:
        path: the file.
        kind: the verb that wrote it.
        values: its content, of the class in :func:`_form` of the kind.
    """

    path: Path
    kind: Kind
    values: Any


def read_documents(paths: Sequence[Path]) -> list[Document]:
    """Read the documents of runs.

    Raises:
        PgFeaturesError: a file can't be read, is not such a document, or has another format or kind than the first.
    """
    documents = [_read(path) for path in paths]
    first = documents[0]
    for each in documents:
        if each.kind != first.kind:
            raise PgFeaturesError(
                f"{first.path} has results of {first.kind}, and {each.path} of {each.kind}",
                remedy="merge results of one kind at a time",
            )
    return documents


def _read(path: Path) -> Document:
    try:
        values = json.loads(read_regular(path))
    except OSError as error:
        raise PgFeaturesError(f"can't read {path}: {error.strerror}", remedy=_WRITERS) from error
    except (ValueError, RecursionError) as error:
        raise PgFeaturesError(f"{path} is no JSON: {error}", remedy=_WRITERS) from error
    keys = set(values) if isinstance(values, dict) else set()
    if "experiments" in keys:
        raise PgFeaturesError(
            f"{path} has results of measure: they depend on the machine, and are not merged",
            remedy="compare them with the tools of pytest-benchmark: pgfeatures measure --benchmark-json FILE",
        )
    kind = next((kind for kind, wanted in _KEYS.items() if wanted <= keys), None)
    if kind is None or "format" not in keys:
        raise PgFeaturesError(f"{path} has no results of {_listed()} in it", remedy=_WRITERS)
    if values["format"] != FORMAT:
        raise PgFeaturesError(
            f"{path} has format {values['format']}, and this version reads format {FORMAT}",
            remedy="write all files, and merge them, with one release of pytest-pgfeatures",
        )
    try:
        return Document(path, kind, from_plain(values, _form(kind)))
    except FormError as error:
        raise PgFeaturesError(
            f"{path} has no results as this version writes them: {error}", remedy=_WRITERS
        ) from None


def _form(kind: Kind) -> type[object]:
    if kind == "extension":
        return ExtensionDocument
    if kind == "verify or pytest":
        return MatrixDocument
    from pytest_pgfeatures.report.readiness_document import ReadinessDocument

    return ReadinessDocument


def _listed() -> str:
    return ", ".join(_KEYS)


def merged(documents: Sequence[Document]) -> tuple[JobResults, int]:
    """Merge the results of verify and pytest. A test outside the matrix of versions may be in several files:
    it is listed only if it was unavailable.

    Returns:
        the results, and the number of behaviors without a result when the runs ended.

    Raises:
        PgFeaturesError: an item ran in the same cell in two files.
    """
    runs, missing = [], 0
    for document in documents:
        values: MatrixDocument = document.values
        runs.append(JobResults(values.command, {}, values.results, values.seconds, values.warnings))
        behaviors = sum(result.item.kind == "behavior" for result in values.results)
        missing += max(values.asked - behaviors, 0)
    _check_disjoint(documents, [[_name(each) for each in run.results if each.cell] for run in runs])
    together = _in_order({_name(each): each for run in runs for each in run.results}.values())
    subject = " and ".join(dict.fromkeys(run.subject for run in runs))
    seconds = sum(run.seconds for run in runs)
    return JobResults(subject, installs_of(together), together, seconds, _warnings(runs)), missing


def merged_extension(documents: Sequence[Document]) -> tuple[JobResults, str, bool]:
    """Merge the results of an extension's stages.

    Returns:
        the results, the extension's directory or name, and whether a run failed.

    Raises:
        PgFeaturesError: the files are of different extensions, or a stage ran on the same major in two files.
    """
    runs, failed = [], False
    for document in documents:
        values: ExtensionDocument = document.values
        installs = {cell: _install(entry) for cell, entry in values.majors.items()} | {
            cell: install for cell, install in installs_of(values.evidence).items() if install
        }
        runs.append(JobResults(values.subject, installs, values.evidence, values.seconds, values.warnings))
        failed |= values.failed
        path = values.path
    for document, run in zip(documents, runs, strict=True):
        if run.subject != runs[0].subject:
            raise PgFeaturesError(
                f"{documents[0].path} has results of the extension {runs[0].subject}, and {document.path} of"
                f" {run.subject}",
                remedy="merge the results of one extension at a time",
            )
    _check_disjoint(documents, [list(map(_name, run.results)) for run in runs])
    cells = {cell: install for run in runs for cell, install in run.installs.items()}
    run = JobResults(
        runs[0].subject,
        {cell: cells[cell] for cell in sorted(cells, key=natural)},
        _in_order(result for run in runs for result in run.results),
        sum(run.seconds for run in runs),
        _warnings(runs),
    )
    return run, path, failed


def _warnings(runs: Sequence[JobResults]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(warning for run in runs for warning in run.warnings))


def merged_readiness(documents: Sequence[Document]) -> tuple[Readiness, ReadinessAsked]:
    """Merge the findings of readiness. A finding of several runs is reported once, and accepted if each of
    them accepted it.

    Returns:
        the findings, and the options of the runs.

    Raises:
        PgFeaturesError: a stage ran for the same pair in two files.
    """
    from pytest_pgfeatures.readiness.run import together
    from pytest_pgfeatures.report.readiness_document import ReadinessAsked

    runs = []
    problems: list[str] = []
    accepted: set[Finding] = set()
    reported: set[tuple[object, ...]] = set()
    for document in documents:
        values: ReadinessDocument = document.values
        runs.append(values.runs)
        accepted |= set(values.accepted_findings)
        reported |= {(each.stage, each.message, each.file, each.line) for each in values.findings}
        problems += values.problems
    _check_disjoint(documents, [[f"{run.stage} {run.pair}" for run in each] for each in runs])

    def accepts(finding: Finding) -> bool:
        place = finding.place
        key = finding.stage, finding.message, place and place.file, place and place.line
        return finding in accepted and key not in reported

    ordered = sorted((run for each in runs for run in each), key=lambda run: natural(run.pair))
    asked = ReadinessAsked.together([document.values for document in documents])
    return together(ordered, accepts, problems), asked


def _name(result: Result) -> str:
    return f"{result.item.id} on {result.cell}"


def _check_disjoint(documents: Sequence[Document], names: Sequence[Iterable[str]]) -> None:
    """Check that no item ran in two files: one of the results would be lost."""
    known: dict[str, Document] = {}
    for document, own in zip(documents, names, strict=True):
        twice = [name for name in dict.fromkeys(own) if name in known]
        if twice:
            more = f" and {len(twice) - _TWICE_SHOWN} more" if len(twice) > _TWICE_SHOWN else ""
            raise PgFeaturesError(
                f"{known[twice[0]].path} and {document.path} both have results of"
                f" {', '.join(twice[:_TWICE_SHOWN])}{more}",
                remedy="name files of different versions, or of different items",
            )
        known |= dict.fromkeys(own, document)


def _in_order(results: Iterable[Result]) -> tuple[Result, ...]:
    """Results by version; those of one version stay in order."""
    return tuple(sorted(results, key=lambda result: natural(result.cell)))


def _install(major: MajorObject) -> InstallUsed | None:
    if major.version is None or major.source is None or major.bindir is None:
        return None
    return InstallUsed(major.version, major.source, major.bindir)
