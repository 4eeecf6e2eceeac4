"""The options of ``pgfeatures readiness``: from the command line, ``pgfeatures.toml`` or ``pyproject.toml``."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.install import parse_requests
from pytest_pgfeatures.readiness.baseline import Baseline
from pytest_pgfeatures.readiness.model import STAGES
from pytest_pgfeatures.readiness.running.given_parameters import GivenParameters

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.model import Input, Stage
    from pytest_pgfeatures.version import PgMajor

FILE = "pgfeatures.toml"
_TABLES = ((FILE, ("readiness",)), ("pyproject.toml", ("tool", "pgfeatures", "readiness")))
_PATHS = ("schema", "queries", "config", "hba", "ident", "scripts", "data")
_LISTS = frozenset({*_PATHS, "setup", "data_command", "stages"})
_OTHER_NAMES = {"from": "old", "to": "new"}
FAIL_ON = ("affects", "may", "never")


@dataclass(frozen=True, slots=True)
class ReadinessOptions:
    """What is looked at, and how.

    Parameters:
        old, new: versions, as ``--pg`` takes them.
        direct: compare each old version with each new one, instead of neighbors.
        schema: dumps, SQL files, directories of migrations.
        setup: commands that make the schema on a server.
        queries: SQL files, exports of pg_stat_statements, server logs, source code, directories of these.
        config, hba, ident: configuration files.
        scripts: shell scripts, YAML, Dockerfiles, systemd units, directories of these.
        data: SQL or COPY files.
        data_command: commands that load data.
        search_path: of the sessions in which queries are parsed; empty for what the schema sets.
        stages: the stages to run; empty for all.
        timeout: how long a statement may run, in seconds.
        baseline: a file of accepted findings.
        fail_on: ``affects``, ``may`` or ``never``.
        parameters: a file of values for the parameters of statements.
    """

    old: str = ""
    new: str = ""
    direct: bool = False
    schema: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    hba: tuple[str, ...] = ()
    ident: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    data_command: tuple[str, ...] = ()
    search_path: str = ""
    stages: tuple[Stage, ...] = ()
    timeout: float = 60.0
    baseline: str = ""
    fail_on: str = "affects"
    parameters: str = ""

    @property
    def given(self) -> frozenset[Input]:
        """The kinds of inputs that were given."""
        kinds: dict[Input, tuple[str, ...]] = {
            "schema": self.schema + self.setup,
            "queries": self.queries,
            "config": self.config,
            "hba": self.hba,
            "ident": self.ident,
            "scripts": self.scripts,
            "data": self.data + self.data_command,
        }
        return frozenset(kind for kind, values in kinds.items() if values)

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands to run on each server, in order."""
        return self.setup + self.data_command

    @property
    def old_majors(self) -> tuple[PgMajor, ...]:
        """The majors that ``old`` spells out."""
        majors = [
            part.versions.first.major
            for part in parse_requests(self.old)
            if part.directory is None and not part.latest and part.versions.first is not None
        ]
        return tuple(majors)

    def plain(self) -> dict[str, Any]:
        """The options as plain values; :func:`of_plain` inverts it."""
        return asdict(self)


def of_plain(values: dict[str, Any]) -> ReadinessOptions:
    """The options from :meth:`ReadinessOptions.plain`, which went through JSON."""
    plain: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    return ReadinessOptions(**plain)


def of_given(directory: Path | None, given: dict[str, Any]) -> ReadinessOptions:
    """The options from what a caller of a function gives: paths, lists and single values will do.

    Raises:
        PgFeaturesError: as :func:`read_options`.
    """

    def value(each: Any) -> Any:
        if isinstance(each, list | tuple):
            return tuple(map(str, each))
        return str(each) if isinstance(each, Path) else each

    return read_options(directory, {name: value(each) for name, each in given.items()})


def read_options(directory: Path | None, given: dict[str, Any]) -> ReadinessOptions:
    """The options of a project, with those of the command line, which take precedence.

    Parameters:
        directory: its ``pgfeatures.toml`` counts, or ``[tool.pgfeatures.readiness]`` of its ``pyproject.toml``.
            None for no project's.
        given: options under the names of :class:`ReadinessOptions`; those that are empty do not count.

    Raises:
        PgFeaturesError: a file or an option can't be read, or no version or no input is given.
    """
    where, found = _from_file(directory) if directory else ("", {})
    values = {
        (key := _OTHER_NAMES.get(name, name)): _value(key, value, where) for name, value in found.items()
    }
    for name, value in given.items():
        if value not in ((), "", None, False):
            values[name] = _value(name, value, "the command line")
    options = ReadinessOptions(**values)
    _check(options)
    return options


def _check(options: ReadinessOptions) -> None:
    if not options.old or not options.new:
        raise PgFeaturesError(
            "the versions are missing",
            remedy="write --from 14 --to 18, or from and to in [tool.pgfeatures.readiness] of pyproject.toml",
        )
    if not options.given:
        raise PgFeaturesError(
            "no input is given",
            remedy="name at least one of --schema, --setup, --queries, --config, --hba, --ident, --scripts, --data",
        )
    if options.baseline:
        Baseline.read(Path(options.baseline))
    if options.parameters:
        GivenParameters.read(Path(options.parameters))
    for option in _PATHS:
        for path in getattr(options, option):
            if not Path(path).exists():
                raise PgFeaturesError(
                    f"--{option} {path}: there is no such file or directory", remedy="correct its name"
                )


def _from_file(directory: Path) -> tuple[str, dict[str, Any]]:
    for name, keys in _TABLES:
        path = directory / name
        if not path.is_file():
            continue
        try:
            table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PgFeaturesError(f"{path} can't be read: {error}", remedy="fix its TOML") from None
        for key in keys:
            table = table.get(key, {}) if isinstance(table, dict) else {}
        if not isinstance(table, dict):
            raise PgFeaturesError(
                f"{path}: {'.'.join(keys)} is not a table",
                remedy=f"write [{'.'.join(keys)}] and options below it",
            )
        if table:
            return str(path), {name.replace("-", "_"): value for name, value in table.items()}
    return "", {}


def _value(name: str, value: Any, where: str) -> Any:
    """An option's value, of its type."""
    names = [entry.name for entry in fields(ReadinessOptions)]
    if name not in names:
        shown = [{new: old for old, new in _OTHER_NAMES.items()}.get(each, each) for each in names]
        near = difflib.get_close_matches(name, shown, n=1)
        raise PgFeaturesError(
            f"{where}: there is no option {name!r}",
            remedy=f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(shown)}",
        )
    if name in _LISTS:
        entries = (value,) if isinstance(value, str) else value
        if not isinstance(entries, list | tuple) or not all(isinstance(entry, str) for entry in entries):
            raise _wrong(name, value, where, "text in quotes, or a list of such in [ ]")
        if name == "stages" and (unknown := [entry for entry in entries if entry not in STAGES]):
            raise PgFeaturesError(
                f"{where}: there is no stage {unknown[0]!r}", remedy=f"the stages are {', '.join(STAGES)}"
            )
        return tuple(entries)
    if name == "timeout":
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise _wrong(name, value, where, "a number of seconds above 0")
        return float(value)
    if name == "direct":
        if not isinstance(value, bool):
            raise _wrong(name, value, where, "true or false")
        return value
    if name in ("old", "new") and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _wrong(name, value, where, "text in quotes")
    if name == "fail_on" and value not in FAIL_ON:
        raise _wrong(name, value, where, f"one of {', '.join(FAIL_ON)}")
    return value


def _wrong(name: str, value: Any, where: str, remedy: str) -> PgFeaturesError:
    return PgFeaturesError(f"{where}: {name} = {value!r} has the wrong type", remedy=f"write {remedy}")
