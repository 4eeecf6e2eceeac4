"""The options of ``pgfeatures extension``: from the command line, ``pgfeatures.toml`` or ``pyproject.toml``."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.extension.model import STAGE_NAMES, STAGES
from pytest_pgfeatures.server.upgrade import MODES
from pytest_pgfeatures.settings import as_setting
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pathlib import Path

FILE = "pgfeatures.toml"
_MODES = tuple(mode.name for mode in MODES)


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """A failure that is expected.

    Parameters:
        stage: one of :data:`STAGE_NAMES`.
        pg: the versions it is expected on.
        reason: why.
    """

    stage: str
    pg: VersionSet
    reason: str


@dataclass(frozen=True, slots=True)
class Options:
    """How an extension is tried.

    Parameters:
        pg: versions, as ``--pg`` has them; empty for the newest at hand.
        stages: the stages to run. Stages that must pass before them also run.
        shared_preload_libraries: of the servers.
        settings: of the servers, under their newest names.
        make: variables for make.
        data: a file of SQL that is run after CREATE EXTENSION, whose data dump and upgrade have to preserve;
            relative to the sources.
        modes: the modes of pg_upgrade.
        timeout: the deadline in seconds for each program and each statement.
        known_failures: expected failures. If such a stage passes, the run fails.
    """

    pg: str = ""
    stages: tuple[str, ...] = STAGE_NAMES
    shared_preload_libraries: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    make: dict[str, str] = field(default_factory=dict)
    data: str = ""
    modes: tuple[str, ...] = ("copy", "link")
    timeout: float = 600.0
    known_failures: tuple[KnownFailure, ...] = ()

    @property
    def server_settings(self) -> dict[str, str]:
        """The settings of the servers, shared_preload_libraries included."""
        libraries = ",".join(self.shared_preload_libraries)
        return self.settings | ({"shared_preload_libraries": libraries} if libraries else {})

    @property
    def wanted(self) -> tuple[str, ...]:
        """The stages to run, including those that must pass before them."""
        wanted = set(self.stages)
        for stage in reversed(STAGES):
            if stage.name in wanted and stage.after:
                wanted.add(stage.after)
        return tuple(name for name in STAGE_NAMES if name in wanted)


def read_options(directory: Path | None, given: dict[str, Any]) -> Options:
    """The options of a project, with those of the command line, which take precedence.

    Parameters:
        directory: the project's; its ``pgfeatures.toml`` counts, or ``[tool.pgfeatures.extension]`` of its
            ``pyproject.toml``. None for no project's.
        given: options under the names of :class:`Options`; those that are empty do not count. ``settings`` and
            ``make`` add to the file's.

    Raises:
        PgFeaturesError: a file or an option can't be read.
    """
    where, found = _from_file(directory) if directory else ("", {})
    values = {name: _value(name, value, where) for name, value in found.items()}
    for name, value in given.items():
        if value:
            value = _value(name, value, "the command line")
            values[name] = values.get(name, {}) | value if isinstance(value, dict) else value
    return Options(**values)


def _from_file(directory: Path) -> tuple[str, dict[str, Any]]:
    own, pyproject = directory / FILE, directory / "pyproject.toml"
    for path, keys in ((own, ("extension",)), (pyproject, ("tool", "pgfeatures", "extension"))):
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
    names = [entry.name for entry in fields(Options)]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        raise PgFeaturesError(
            f"{where}: there is no option {name!r}",
            remedy=f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}",
        )
    if name == "known_failures":
        return tuple(_known(entry, where) for entry in _list(name, value, where))
    if name in ("settings", "make"):
        if not isinstance(value, dict):
            raise _wrong(name, value, where, f'a table, such as {name} = {{ NAME = "value" }}')
        return {str(key): as_setting(entry) for key, entry in value.items()}
    if name in ("stages", "modes", "shared_preload_libraries"):
        entries = tuple(map(str, _list(name, value, where)))
        for entry in entries:
            if name == "stages":
                _check_stage(entry, where)
            if name == "modes" and entry not in _MODES:
                raise PgFeaturesError(
                    f"{where}: pg_upgrade has no mode {entry!r}", remedy=f"the modes are {', '.join(_MODES)}"
                )
        return entries
    if name == "timeout":
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise _wrong(name, value, where, "a number above 0")
        return float(value)
    if not isinstance(value, str):
        raise _wrong(name, value, where, "text in quotes")
    return value


def _list(name: str, value: Any, where: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong(name, value, where, "a list in [ ]")
    return value


def _wrong(name: str, value: Any, where: str, remedy: str) -> PgFeaturesError:
    return PgFeaturesError(f"{where}: {name} = {value!r} has the wrong type", remedy=f"write {remedy}")


def _check_stage(name: str, where: str) -> None:
    if name not in STAGE_NAMES:
        raise PgFeaturesError(
            f"{where}: there is no stage {name!r}", remedy=f"the stages are {', '.join(STAGE_NAMES)}"
        )


def _known(entry: Any, where: str) -> KnownFailure:
    """A known failure; on the command line it is ``stage:versions:reason``."""
    if isinstance(entry, str):
        stage, _, rest = entry.partition(":")
        pg, _, reason = rest.partition(":")
        entry = {"stage": stage, "pg": pg, "reason": reason}
    parts = ("stage", "pg", "reason")
    if not isinstance(entry, dict) or not all(str(entry.get(part, "")).strip() for part in parts):
        raise PgFeaturesError(
            f"{where}: the known failure {entry!r} does not say stage, pg and reason",
            remedy='write { stage = "regress", pg = "18", reason = "why" }, or regress:18:why on the command line',
        )
    if unknown := set(entry) - set(parts):
        raise PgFeaturesError(
            f"{where}: a known failure has no {', '.join(sorted(unknown))}",
            remedy="it has stage, pg and reason",
        )
    _check_stage(entry["stage"], where)
    return KnownFailure(entry["stage"], VersionSet(str(entry["pg"])), str(entry["reason"]))
