"""``--write-tests DIR``: write the findings as a module of tests, which the user owns from then on."""

from __future__ import annotations

import os
import pprint
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.readiness.model import Executed, Finding
    from pytest_pgfeatures.readiness.options import ReadinessOptions
    from pytest_pgfeatures.readiness.run import Readiness

NAME = "test_upgrade.py"
_FILES = ("statistics", "parameters")
_PATHS = ("schema", "queries", "config", "hba", "ident", "scripts", "data", "behaviors", *_FILES)
_COMMANDS = ("setup", "data_command")
_RUN_HERE = frozenset({"results", "upgrade"})
"""Stages that the module has tests of its own for."""

_HEAD = '''\
"""The upgrade from {old} to {new}, as tests. ``pgfeatures readiness --write-tests`` wrote this file; it is yours.

    pytest {file}

It loads the schema and the data as superuser: run it if you trust them.
"""

from __future__ import annotations

{imports}
PROJECT = Path(__file__).resolve().parents[{up}]
OLD, NEW = "{old}", "{new}"
'''
_FOUND = '''\
INPUTS = {{
    "old": OLD,
    "new": NEW,
{inputs}}}
ACCEPTED = {accepted}
"""Findings that are accepted: the stage and the place, and why. Add those that you accept."""


def test_nothing_is_found_that_is_not_accepted(pg_readiness):
    found = pg_readiness({stages}, **INPUTS)
    new = {{}}
    for each in found.affects:
        place = each.place
        where = f"{{os.path.relpath(place.file, PROJECT)}}:{{place.line}}" if place else each.object
        if (each.stage, where) not in ACCEPTED:
            new[each.stage, where] = f"{{each.message}}; what to do: {{each.remedy}}"
    assert new == {{}}
'''
_LOADED = '''

SCRIPTS = [{scripts}]
COMMANDS = {commands}
"""They run on a server after the scripts, and connect by libpq's variables or by DATABASE_URL."""
DBNAME = "upgrade_of_the_application"


def fill(cluster, dbname):
    """Load the schema and the data into an empty database."""
    with cluster.connect(dbname) as connection:
        load(connection, *SCRIPTS)
    variables = cluster.connection_environment() | {{"PGDATABASE": dbname, "DATABASE_URL": cluster.url(dbname)}}
    for command in COMMANDS:
        subprocess.run(command, shell=True, check=True, cwd=PROJECT, env=os.environ | variables)


@pytest.fixture(scope="module")
def servers(pg_pair_of):
    """Both servers with the schema and the data: the new one has what a dump takes there."""
    pair = pg_pair_of(OLD, NEW)
    for cluster in pair:
        cluster.sql(f"DROP DATABASE IF EXISTS {{DBNAME}}")
    pair.old.sql(f"CREATE DATABASE {{DBNAME}} TEMPLATE template0")
    fill(pair.old, DBNAME)
    pair.old.dump_to(pair.new, DBNAME)
    for cluster in pair:
        cluster.sql("VACUUM (ANALYZE)", dbname=DBNAME)
    yield pair
    for cluster in pair:
        cluster.sql(f"DROP DATABASE {{DBNAME}}")
'''
_COMPARED = '''

SAME = {same}
"""Statements that return the same on both, with the values of their parameters."""
DIFFERENT = {different}
"""Statements that are known to return something else on the new version."""


@pytest.mark.parametrize(("query", "params"), SAME)
def test_the_results_are_the_same(servers, query, params):
    assert compare(servers, query, params, dbname=DBNAME)
'''
_DIFFERENT = """

@pytest.mark.parametrize(("query", "params"), DIFFERENT)
def test_the_results_differ_as_is_known(servers, query, params):
    assert not compare(servers, query, params, dbname=DBNAME)
"""
_PLANNED = '''

INDEXED = {plans}
"""Statements, the values of their parameters, and an index that the new version reads for them."""


@pytest.mark.parametrize(("query", "params", "index"), INDEXED)
def test_the_new_version_reads_the_index(servers, query, params, index):
    with servers.new.connect(DBNAME) as connection:
        plan = explain(connection, query, params or None)
    assert f"*[index={{index}}]" in plan, str(plan)
'''
_UPGRADED = '''

ROWS = """
    SELECT c.oid::regclass::text, (xpath('/row/n/text()', query_to_xml(
        format('SELECT count(*) AS n FROM %s', c.oid::regclass), false, true, '')))[1]::text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
"""


@pytest.mark.pg(matrix=False)
def test_pg_upgrade_takes_everything_along(create_pg):
    cluster = create_pg(version=OLD)
    fill(cluster, "postgres")
    before = cluster.sql(ROWS)
{upgrade}'''
_SURVIVES = """\
    assert cluster.upgrade_to(NEW, mode="link", maintain=True).sql(ROWS) == before
"""
_FAILS = """\
    assert before
    with pytest.raises(PgFeaturesError):  # {why}
        cluster.upgrade_to(NEW, mode="link", maintain=True)
"""


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
    text = module(found, options, path)
    write_atomically(path, text, mode=0o644)
    return path


def module(found: Readiness, options: ReadinessOptions, path: Path) -> str:
    """The text of the module at a path."""
    project = Path.cwd()
    up = _levels(path, project)
    has_own = _loads_as_a_script(found, options)
    run_here = _RUN_HERE if has_own else frozenset()
    stages = [run.stage for run in found.runs if run.stage not in run_here and not run.nothing]
    parts: list[str] = []
    if stages:
        accepted = {
            _key(each, project): each.message for each in found.accepted if each.stage not in run_here
        }
        parts.append(
            _FOUND.format(
                inputs="".join(_inputs(options, project)),
                accepted=_shown(accepted),
                stages=", ".join(f'"{each}"' for each in dict.fromkeys(stages)),
            )
        )
    if has_own:
        scripts = [_path(each, project) for each in options.schema + options.data]
        parts.append(_LOADED.format(scripts=", ".join(scripts), commands=_shown(list(options.commands))))
        parts += _of_statements(found)
        parts.append(_UPGRADED.format(upgrade=_upgrade(found)))
    body = "".join(parts)
    file = os.path.relpath(path, project)
    head = _HEAD.format(old=options.old, new=options.new, up=up, file=file, imports=_imports(body))
    return head + body


def _imports(body: str) -> str:
    """The import statements of a module."""
    used = set(re.findall(r"\w+", body))
    modules = [f"import {name}" for name in ("os", "subprocess") if name in used]
    own = ", ".join(name for name in ("PgFeaturesError", "compare", "explain", "load") if name in used)
    parts = ["\n".join([*modules, "from pathlib import Path"])]
    parts += ["import pytest"] if "pytest" in used else []
    parts += [f"from pytest_pgfeatures import {own}"] if own else []
    return "\n\n".join(parts) + "\n"


def _levels(path: Path, project: Path) -> int:
    relative = Path(os.path.relpath(path.parent.absolute(), project))
    return 0 if relative == Path() else len(relative.parts)


def _key(finding: Finding, project: Path) -> tuple[str, str | None]:
    place = finding.place
    where = f"{os.path.relpath(place.file, project)}:{place.line}" if place else finding.object
    return finding.stage, where


def _inputs(options: ReadinessOptions, project: Path) -> Iterable[str]:
    """The arguments that name the inputs."""
    for name in _PATHS:
        values = getattr(options, name)
        if isinstance(values, str):
            values = (values,) if values else ()
        listed = ", ".join(f"str({_path(value, project)})" for value in values)
        if listed:
            yield f'    "{name}": [{listed}],\n' if name not in _FILES else f'    "{name}": {listed},\n'
    for name in _COMMANDS:
        if values := list(getattr(options, name)):
            yield f'    "{name}": {_shown(values)},\n'


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


def _of_statements(found: Readiness) -> Iterable[str]:
    executed = list(dict.fromkeys(each for run in found.runs for each in run.report.executed))
    known = {(each.place.file, each.place.line) for each in found.accepted if each.place}
    different = [each for each in executed if not each.same and (each.place.file, each.place.line) in known]
    same = [each for each in executed if each not in different]
    if same or different:
        yield _COMPARED.format(same=_cases(same), different=_cases(different))
    if different:
        yield _DIFFERENT
    plans = [(*_case(each), index) for each in same for index in each.indexes]
    if plans:
        yield _PLANNED.format(plans=_shown(plans))


def _cases(executed: Iterable[Executed]) -> str:
    return _shown([_case(each) for each in executed])


def _case(each: Executed) -> tuple[str, dict[str, str | None]]:
    """The statement with psycopg's placeholders, and their values."""
    if not each.values:
        return each.sql, {}
    parts = [
        f"%(p{token.text[1:]})s" if token.kind == "parameter" else token.text.replace("%", "%%")
        for token in tokens(each.sql, psql=False)
    ]
    return "".join(parts), {f"p{number}": value for number, value in enumerate(each.values, 1)}


def _upgrade(found: Readiness) -> str:
    known = [each for each in found.accepted if each.stage == "upgrade" and "pg_upgrade" in each.message]
    if not known:
        return _SURVIVES
    return _FAILS.format(why=" ".join(known[0].message.split())[:90])
