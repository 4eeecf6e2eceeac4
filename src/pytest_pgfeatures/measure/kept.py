"""Keep the measurements of experiments, round by round, so that an interrupted run can be continued."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import textwrap
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExperimentError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.json_values import from_plain
from pytest_pgfeatures.measure.model import file_name
from pytest_pgfeatures.measure.outcome import Measured

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.measure.model import Experiment, Scale, Work

FORMAT = "pytest-pgfeatures rounds 1"


class Kept:
    """Rounds in a directory, with a file for each experiment and scale.

    Only values and facts are reused: ratios and verdicts are computed from the experiment's present
    declaration. Rounds of other installs, or of a work that has changed since, are not reused.

    Parameters:
        directory: created if it does not exist.

    Raises:
        ExperimentError: it can't be created or written.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
            write_atomically(directory / ".writable", "")
            (directory / ".writable").unlink()
        except OSError as error:
            raise ExperimentError(
                f"can't keep rounds in {directory}: {error.strerror}",
                remedy="name a directory that can be made and written",
            ) from error

    def begun(self, experiment: Experiment, now: Measured) -> Measured | None:
        """The kept rounds of an experiment; None if none of them can be used.

        Parameters:
            now: its installs and scale.
        """
        found = self.found(experiment, now.scale)
        return found if found is not None and found.installs == now.installs else None

    def found(self, experiment: Experiment, scale: Scale) -> Measured | None:
        """The kept rounds of an experiment, on any installs."""
        try:
            content = json.loads(self._file(experiment.id, scale).read_text(encoding="utf-8"))
            if content["format"] != FORMAT or content["work"] != work_of(experiment, scale):
                return None
            return from_plain(content["measured"], Measured)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None  # there is no file, or another version of ours wrote it

    def keep(self, experiment: Experiment, measured: Measured) -> None:
        """Write the measurements so far."""
        content = {
            "format": FORMAT,
            "work": work_of(experiment, measured.scale),
            "measured": measured.to_dict(),
        }
        text = json.dumps(content, ensure_ascii=False) + "\n"
        write_atomically(self._file(experiment.id, measured.scale), text)

    def _file(self, id: str, scale: Scale) -> Path:
        return self._directory / f"{file_name(id)}.{scale}.json"


def work_of(experiment: Experiment, scale: Scale) -> str:
    """A checksum of the experiment's code: the work's text, the settings, and the values of the parameters."""
    points = [(point.labels, point.values) for point in experiment.points(scale)]
    whole = repr(
        (
            _text_of(experiment.work),
            sorted(experiment.settings_at(scale).items()),
            points,
            [*experiment.quantities],
        )
    )
    return hashlib.sha256(whole.encode()).hexdigest()


def _text_of(work: Work) -> str:
    """A function's statements without its decorators, which have titles and figures; empty if they are unknown."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(work)))).body
    except (OSError, SyntaxError, ValueError):
        return ""
    return ast.unparse(ast.Module(tree.body, [])) if isinstance(tree, ast.FunctionDef) else ast.unparse(tree)
