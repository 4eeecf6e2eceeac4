"""Repeats the experiments that have an A/A control, until it has 200 ratios.

``python -m devtools.controls DIRECTORY FILE.json ...`` counts the ratios of the control in files of ``pgfeatures
measure --json`` and in those of the directory. It repeats experiments at scale ``quick``, each time on new servers,
until there are enough. Each repetition has a file in the directory: after a stop, a new run continues. ``make
measurements`` runs it.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.json_values import from_plain
from pytest_pgfeatures.measure.model import file_name
from pytest_pgfeatures.measure.outcome import Measured

if TYPE_CHECKING:
    from collections.abc import Sequence

ENOUGH = 200


def ratios_in(file: Path) -> int:
    """Return the number of the control's ratios in a file."""
    measurements = json.loads(file.read_text(encoding="utf-8"))
    return sum(each.control()[1] for each in from_plain(measurements["experiments"], list[Measured]))


def main(arguments: Sequence[str]) -> None:
    """Repeat experiments until there are enough ratios."""
    directory, *others = map(Path, arguments)
    directory.mkdir(parents=True, exist_ok=True)
    ratios = sum(map(ratios_in, others))
    ids = [id for id, each in documents_experiments().items() if each.by_version]
    for number in itertools.count(1):
        for id in ids:
            if ratios >= ENOUGH:
                return
            file = directory / f"{file_name(id)}-{number}.json"
            if not file.exists():
                program = Path(sys.executable).with_name("pgfeatures")
                subprocess.run([program, "measure", "-k", id, "--json", str(file)], check=True)
            ratios += ratios_in(file)


if __name__ == "__main__":
    main(sys.argv[1:])
