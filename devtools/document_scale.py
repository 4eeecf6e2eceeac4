"""Runs the experiments that fit at the documents' scale: two hours, 24 GiB of memory and 60 GiB of files in total,
with those at scale ``quick`` and the A/A control.

``python -m devtools.document_scale DIRECTORY`` takes the rounds at scale ``quick`` that ``pgfeatures measure
--resume DIRECTORY`` kept, estimates the needs of each experiment, and runs the experiments, the shortest
first, until the next one would not fit. Where an experiment has run, its own time takes the place of the estimate.
Rounds are kept in the directory, and results in its ``document/ID.json``: after a stop, a new run continues. ``make
measurements SCALE=document`` runs it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.measure.kept import Kept
from pytest_pgfeatures.measure.model import file_name
from pytest_pgfeatures.measure.takes import takes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.measure.takes import Takes

SECONDS = 2 * 3600
DISK = 60 * 1024**3
MEMORY = 24 * 1024**3


def fitting(known: Mapping[str, Takes], taken: float = 0.0) -> list[str]:
    """Return the experiments that fit, the shortest first.

    Parameters:
        known: the needs of each experiment, by its id. An experiment of unknown time does not fit.
        taken: the seconds that something else takes.
    """
    found, total = [], taken
    for id, each in sorted(known.items(), key=lambda item: item[1].seconds or 0):
        if each.seconds is None or (each.disk or 0) > DISK or each.memory > MEMORY:
            continue
        total += each.seconds
        if total > SECONDS:
            break
        found.append(id)
    return found


def main(arguments: Sequence[str]) -> None:
    """Run the experiments that fit."""
    directory = Path(arguments[0])
    kept = Kept(directory)
    results = directory / "document"
    results.mkdir(exist_ok=True)
    quick = [kept.found(each, "quick") for each in documents_experiments().values()]
    taken = 2 * sum(
        each.seconds for each in quick if each is not None
    )  # and about as long for the A/A control
    done: set[str] = set()
    while left := [id for id in fitting(needs(kept), taken) if id not in done]:
        done.add(id := left[0])
        file = results / f"{file_name(id)}.json"
        command = [
            "measure",
            "-k",
            id,
            "--scale",
            "document",
            "--resume",
            str(directory),
            "--json",
            str(file),
        ]
        subprocess.run([Path(sys.executable).with_name("pgfeatures"), *command], check=True)


def needs(kept: Kept) -> dict[str, Takes]:
    """Return what each experiment takes at the documents' scale, by its kept rounds."""
    return {
        id: takes(each, kept.found(each, "document") or kept.found(each, "quick"))
        for id, each in documents_experiments().items()
    }


if __name__ == "__main__":
    main(sys.argv[1:])
