"""Modules of tests that the user owns from then on: of ``--write-tests DIR``, and of ``pgfeatures init``."""

from __future__ import annotations

import os
import pprint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.readiness.inputs.table import INPUTS
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.readiness.model import Executed
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness

NAME = "test_upgrade.py"
_FINDINGS = f"{NAME}.jinja"
_FIRST_TEST = "test_first.py.jinja"
_WITHOUT = frozenset({"run", "database"})
"""Inputs of a run that the module does not repeat."""
_RUN_HERE = frozenset({"results", "upgrade"})
"""Stages that the module has tests of its own for."""


def check_free(directory: Path) -> Path:
    """The module to write in a directory.

    Raises:
        PgFeaturesError: the module exists already, and belongs to its user.
    """
    path = directory / NAME
    if path.exists():
        raise PgFeaturesError(
            f"{path} exists, and may have changes of yours", remedy="move it, or name another directory"
        )
    if directory.exists() and not directory.is_dir():
        raise PgFeaturesError(f"--write-tests {directory} is no directory", remedy="name a directory")
    return path


def write_tests(found: Readiness, options: ReadinessOptions, directory: Path) -> Path:
    """Write the module.

    Parameters:
        found: the findings; the module lists those that the baseline accepts as accepted.
        directory: created if it does not exist.

    Raises:
        PgFeaturesError: the module exists already.
    """
    path = check_free(directory)
    directory.mkdir(parents=True, exist_ok=True)
    write_atomically(path, module(found, options, path), mode=0o644)
    return path


def first_test(path: Path, configuration: str, stages: Sequence[str]) -> str:
    """The text of a project's first test, at a path.

    Parameters:
        configuration: the name of the file with the versions and inputs.
        stages: the stages to run; empty for all.
    """
    return _rendered(_FIRST_TEST, file=path, configuration=configuration, stages=stages)


def module(found: Readiness, options: ReadinessOptions, path: Path) -> str:
    """The text of the module at a path."""
    project = Path.cwd()
    loads = _loads_as_a_script(found, options)
    run_here = _RUN_HERE if loads else frozenset()
    stages = [run.stage for run in found.runs if run.stage not in run_here and not run.nothing]
    accepted: dict[tuple[str, str | None], str] = {}
    for each in found.accepted:
        if each.stage not in run_here:
            place = each.place
            where = f"{os.path.relpath(place.file, project)}:{place.line}" if place else each.object
            accepted[each.stage, where] = each.message
    same, different = _statements(found)
    plans = [(*_case(each), index) for each in same for index in each.indexes]
    # the accepted reason why pg_upgrade fails; empty if it is expected to work
    failing = (each for each in found.accepted if each.stage == "upgrade" and "pg_upgrade" in each.message)
    upgrade_fails = " ".join(next((each.message for each in failing), "").split())[:90]
    used = {"PgFeaturesError": upgrade_fails, "compare": same or different, "explain": plans, "load": True}
    return _rendered(
        _FINDINGS,
        old=options.old,
        new=options.new,
        file=os.path.relpath(path, project),
        up=len(Path(os.path.relpath(path.parent.absolute(), project)).parts),
        names=[name for name, needed in used.items() if needed],
        stages=list(dict.fromkeys(stages)),
        inputs=dict(_inputs(options, project)),
        accepted=accepted,
        loads=loads,
        scripts=[_path(each, project) for each in options.schema + options.data],
        commands=list(options.commands),
        same=list(map(_case, same)),
        different=list(map(_case, different)),
        plans=plans,
        upgrade_fails=upgrade_fails,
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
    environment.filters["shown"] = _shown
    return environment.get_template(template).render(**values)


def _inputs(options: ReadinessOptions, project: Path) -> Iterable[tuple[str, str]]:
    """The names and values of the arguments for the inputs."""
    paths = {row.name: row for row in INPUTS if row.name not in _WITHOUT}
    for name in (*paths, "behaviors", "parameters"):
        given = getattr(options, name)
        values = [given] if isinstance(given, str) else list(given)
        if not any(values):
            continue
        if name in paths and paths[name].takes == "COMMAND":
            yield name, _shown(values)
        else:
            listed = ", ".join(f"str({_path(value, project)})" for value in values)
            yield name, listed if isinstance(given, str) else f"[{listed}]"


def _path(value: str, project: Path) -> str:
    relative = os.path.relpath(value, project)
    return f"Path({value!r})" if relative.startswith("..") else f"PROJECT / {relative!r}"


def _shown(value: Any) -> str:
    return pprint.pformat(value, width=100, sort_dicts=False)


def _loads_as_a_script(found: Readiness, options: ReadinessOptions) -> bool:
    """Whether a schema is given, as files or commands, and both servers accept all of it."""
    refused = any(
        each.stage == "schema" and each.severity == "error" for each in (*found.findings, *found.accepted)
    ) or any("refused by" in problem for problem in found.problems)
    return bool(options.schema or options.setup) and not refused


def _statements(found: Readiness) -> tuple[list[Executed], list[Executed]]:
    """The statements that return the same on both versions, and those that are known to differ."""
    executed = list(dict.fromkeys(each for run in found.runs for each in run.report.executed))
    known = {(each.place.file, each.place.line) for each in found.accepted if each.place}
    different = [each for each in executed if not each.same and (each.place.file, each.place.line) in known]
    return [each for each in executed if each not in different], different


def _case(each: Executed) -> tuple[str, dict[str, str | None]]:
    """The statement with psycopg's placeholders, and their values."""
    if not each.values:
        return each.sql, {}
    parts = [
        f"%(p{token.text[1:]})s" if token.kind == "parameter" else token.text.replace("%", "%%")
        for token in tokens(each.sql, psql=False)
    ]
    return "".join(parts), {f"p{number}": value for number, value in enumerate(each.values, 1)}
