"""Puts the results of several runs together: the JSON documents that ``verify`` and pytest wrote."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.report.document import FORMAT
from pytest_pgfeatures.results.model import JobResults, Result, installs_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_WRITERS = "write it with pgfeatures verify --json FILE, or pytest --pg-json FILE"


def read_document(path: Path) -> tuple[JobResults, int]:
    """Read the results of a run from its JSON document.

    Returns:
        the results, and how many behaviors the run had no result for when it ended.

    Raises:
        PgFeaturesError: the file can't be read, or is no such document, or one of another format.
    """
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise PgFeaturesError(f"can't read {path}: {error.strerror}", remedy=_WRITERS) from error
    except (ValueError, RecursionError) as error:
        raise PgFeaturesError(f"{path} is no JSON: {error}", remedy=_WRITERS) from error
    _check_format(path, document)
    try:
        results = tuple(map(Result.from_dict, document["results"]))
        counted = sum(result.item.kind == "behavior" for result in results)
        missing = int(document["asked"]) - counted
        run = JobResults(str(document["command"]), installs_of(results), results, float(document["seconds"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise PgFeaturesError(
            f"{path} has no results as this version writes them ({what})", remedy=_WRITERS
        ) from error
    return run, max(missing, 0)


def _check_format(path: Path, document: Any) -> None:
    found = document.get("format") if isinstance(document, dict) else None
    if found is None or "results" not in document or "command" not in document:
        raise PgFeaturesError(f"{path} has no results of verify or pytest in it", remedy=_WRITERS)
    if found != FORMAT:
        raise PgFeaturesError(
            f"{path} has format {found}, and this version reads format {FORMAT}",
            remedy="write all files, and merge them, with one release of pytest-pgfeatures",
        )


def merged(runs: Sequence[JobResults]) -> JobResults:
    """Put the results of runs together.

    Of an item that ran twice in one cell, the last result counts, and a warning says how many there were.

    Parameters:
        runs: in the order in which they were named.
    """
    results: dict[tuple[str, str, str], Result] = {}
    twice = 0
    for run in runs:
        for result in run.results:
            key = (result.item.kind, result.item.id, result.cell)
            twice += key in results
            results[key] = result
    together = tuple(results.values())
    warnings = [warning for run in runs for warning in run.warnings]
    if twice:
        warnings.append(f"{twice} results are in more than one file; of each, the last file's counts")
    return JobResults(
        " and ".join(dict.fromkeys(run.subject for run in runs)),
        installs_of(together),
        together,
        sum(run.seconds for run in runs),
        tuple(dict.fromkeys(warnings)),
    )
