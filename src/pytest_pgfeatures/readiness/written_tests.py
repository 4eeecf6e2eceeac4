"""Modules of tests that the user owns from then on: of ``--write-tests DIR``, and of ``pgfeatures init``."""

from __future__ import annotations

import functools
import os
import pprint
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.readiness.inputs.table import INPUTS
from pytest_pgfeatures.readiness.model import Executed
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:  # it loads all stages, which the command does once it has begun
    from pytest_pgfeatures.readiness.run import Readiness

NAME = "test_upgrade.py"
_SHOWN = functools.partial(pprint.pformat, width=100, sort_dicts=False)
_RUN_HERE = frozenset({"results", "upgrade"})  # stages that the module has tests of its own for


def check_free(directory: Path) -> Path:
    """The module to write in a directory. One that exists belongs to its user, and is an error."""
    if (path := directory / NAME).exists():
        said = f"{path} exists, and may have changes of yours"
        raise PgFeaturesError(said, remedy="move it, or name another directory")
    if directory.exists() and not directory.is_dir():
        raise PgFeaturesError(f"--write-tests {directory} is no directory", remedy="name a directory")
    return path


def write_tests(found: Readiness, options: ReadinessOptions, directory: Path) -> Path:
    """Write the module into a directory, which is created if it does not exist; see :func:`check_free`."""
    path = check_free(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_atomically(path, module(found, options, path), mode=0o644)
    return path


def first_test(path: Path, configuration: str, stages: Sequence[str]) -> str:
    """The text of a project's first test, at a path; the configuration's file has the versions and inputs."""
    return _rendered("test_first.py.jinja", file=path, configuration=configuration, stages=stages)


def module(found: Readiness, options: ReadinessOptions, path: Path) -> str:
    """The text of the module at a path."""
    # whether a schema is given, as files or commands, and both servers accept all of it
    with_errors = {each.stage for each in (*found.findings, *found.accepted) if each.severity == "error"}
    refused = "schema" in with_errors or any("refused by" in problem for problem in found.problems)
    loads = bool(options.schema or options.setup) and not refused
    run_here = _RUN_HERE if loads else frozenset()
    accepted = [each for each in found.accepted if each.stage not in run_here]
    places = ((each.place, each.object) for each in accepted)
    where = [f"{os.path.relpath(at.file)}:{at.line}" if at else name for at, name in places]
    executed = dict.fromkeys(each for run in found.runs for each in run.report.executed)
    known = {each.place.where for each in found.accepted if each.place}
    different = [each for each in executed if not each.same and each.place.where in known]
    same = [each for each in executed if each not in different]
    # the accepted reason why pg_upgrade fails; empty if it is expected to work
    failing = (each for each in found.accepted if each.stage == "upgrade" and "pg_upgrade" in each.message)
    stages = (run.stage for run in found.runs if run.stage not in run_here and not run.nothing)
    return _rendered(
        f"{NAME}.jinja",
        options=options,
        file=os.path.relpath(path),
        up=len(Path(os.path.relpath(path.parent)).parts),
        stages=list(dict.fromkeys(stages)),
        inputs=dict(_inputs(options)),
        accepted={(each.stage, at): each.message for each, at in zip(accepted, where, strict=True)},
        loads=loads,
        scripts=list(map(_path, options.schema + options.data)),
        same=list(map(_case, same)),
        different=list(map(_case, different)),
        plans=[(*_case(each), index) for each in same for index in each.indexes],
        upgrade_fails=" ".join(next((each.message for each in failing), "").split())[:90],
    )


def _rendered(template: str, **values: object) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pytest_pgfeatures.readiness"),
        autoescape=False,  # it is Python
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    environment.filters["shown"] = _SHOWN
    return environment.get_template(template).render(**values)


def _inputs(options: ReadinessOptions) -> Iterable[tuple[str, str]]:
    """The names and values of the arguments for the inputs, without the user's tests and a live database."""
    for name in (*(row.name for row in INPUTS), "behaviors", "parameters"):
        given = getattr(options, name)
        if not given or name in ("run", "database"):
            continue
        if name in ("setup", "data_command"):
            yield name, _SHOWN(list(given))
        elif isinstance(given, str):
            yield name, f"str({_path(given)})"
        else:
            yield name, f"[{', '.join(f'str({_path(value)})' for value in given)}]"


def _path(value: str) -> str:
    relative = os.path.relpath(value)
    return f"Path({value!r})" if relative.startswith("..") else f"PROJECT / {relative!r}"


def _case(each: Executed) -> tuple[str, dict[str, str | None]]:
    """The statement with psycopg's placeholders, and their values."""
    if not each.values:
        return each.sql, {}
    parts = [
        f"%(p{token.text[1:]})s" if token.kind == "parameter" else token.text.replace("%", "%%")
        for token in tokens(each.sql, psql=False)
    ]
    return "".join(parts), {f"p{number}": value for number, value in enumerate(each.values, 1)}
