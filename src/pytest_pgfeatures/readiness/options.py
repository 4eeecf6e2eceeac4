"""The options of ``pgfeatures readiness``: from the command line, ``pgfeatures.toml`` or ``pyproject.toml``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from pytest_pgfeatures.behaviors.registry import declared_in_files
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.project_file import Seconds, check_name, converted, options_of
from pytest_pgfeatures.readiness.inputs.table import INPUTS
from pytest_pgfeatures.readiness.model import STAGES, FailOn
from pytest_pgfeatures.readiness.secrets import hide
from pytest_pgfeatures.readiness.toml_files import GivenParameters, read_baseline

_PATHS = (*(row.name for row in INPUTS if row.is_paths), "behaviors")
_OTHER_NAMES = {"from": "old", "to": "new"}


@dataclass(frozen=True, slots=True)
class ReadinessOptions:
    """The inputs, which :data:`INPUTS` describes, and how to look at them."""

    old: str = ""  # versions, as --pg takes them
    new: str = ""
    direct: bool = False  # whether to compare each old version with each new one, instead of neighbors
    schema: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    hba: tuple[str, ...] = ()
    ident: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    data_command: tuple[str, ...] = ()
    behaviors: tuple[str, ...] = ()
    statistics: str = ""
    database: str = ""
    search_path: str = ""  # in the sessions that parse queries; empty to use the one that the schema sets
    stages: tuple[str, ...] = ()  # the stages to run; empty for all
    timeout: Seconds = 60.0  # the time that each statement may run, in seconds
    trust: bool = False  # whether to load the schema and to run the statements as superuser
    baseline: str = ""
    fail_on: FailOn = "affects"
    parameters: str = ""  # a file of values for the parameters of statements
    run: str = ""

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands to run on each server, in order."""
        return self.setup + self.data_command

    def command(self, *stages: str) -> str:
        """The command line that has these options, without passwords; with these stages, if any are given."""
        words = ["pgfeatures", "readiness", "--from", self.old, "--to", self.new]
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in ("old", "new", "stages") or value == each.default:
                continue
            option = f"--{each.name.replace('_', '-')}"
            if each.name in _PATHS:
                words += [option, *value]
            elif isinstance(value, tuple):
                words += [word for entry in value for word in (option, entry)]
            else:
                shown = f"{value:g}" if isinstance(value, float) else value
                words += [option] if value is True else [option, shown]
        words += [word for stage in stages or self.stages for word in ("--stage", stage)]
        return shlex.join(map(hide, words))


def read_options(directory: Path | None, given: dict[str, Any]) -> ReadinessOptions:
    """Read the options of a project and of the command line. The command line takes precedence.

    Parameters:
        directory: the project's; None if there is none.
        given: by field; paths, lists or single values. Empty ones are ignored.
    """
    where, found = options_of(directory, "readiness") if directory else ("", {})
    found = {_OTHER_NAMES.get(name, name): value for name, value in found.items()}
    values = {name: _value(name, value, where) for name, value in found.items()}
    for name, value in given.items():
        if value not in ((), [], "", None, False):
            values[name] = _value(name, value, "the command line")
    options = ReadinessOptions(**values)
    for problem, remedy in _faults(options):
        raise PgFeaturesError(problem, remedy=remedy)
    read_baseline(options.baseline)
    GivenParameters.read(options.parameters)
    declared_in_files(map(Path, options.behaviors))
    return options


def _faults(options: ReadinessOptions) -> Iterator[tuple[str, str]]:
    """The problems with options, each with its remedy."""
    if not options.old or not options.new:
        advice = "write --from 14 --to 18, or from and to in [tool.pgfeatures.readiness] of pyproject.toml"
        yield "the versions are missing", advice
    if not any(row.given(options) for row in INPUTS):
        yield "no input is given", f"name at least one of {', '.join(row.flag for row in INPUTS)}"
    if options.statistics and options.database:
        advice = "name one of them: a database has statistics of its own"
        yield "--statistics and --database are both given", advice
    if options.statistics and not Path(options.statistics).is_file():
        yield f"--statistics {options.statistics}: there is no such file", "correct its name"
    for option, path in ((name, path) for name in _PATHS for path in getattr(options, name)):
        if not Path(path).exists():
            yield f"--{option} {path}: there is no such file or directory", "correct its name"


_TYPES = get_type_hints(ReadinessOptions, include_extras=True)


def _value(name: str, value: Any, where: str) -> Any:
    """Convert the value of an option to the option's type."""
    check_name(name, (*_OTHER_NAMES, *_TYPES), where)
    found = converted(name, value, _TYPES[name], where)
    if name == "stages" and (unknown := [entry for entry in found if entry not in STAGES]):
        said = f"{where}: there is no stage {unknown[0]!r}"
        raise PgFeaturesError(said, remedy=f"the stages are {', '.join(STAGES)}")
    return found
