"""The options of ``pgfeatures extension``: from the command line, ``pgfeatures.toml`` or ``pyproject.toml``."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.extension.model import STAGE_NAMES, STAGES
from pytest_pgfeatures.extension.option_values import read_value
from pytest_pgfeatures.project_file import check_name, options_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.extension.excluded import Excluded
    from pytest_pgfeatures.extension.known import KnownFailure
    from pytest_pgfeatures.extension.model import NamedTests


@dataclass(frozen=True, slots=True)
class Options:
    """The options for testing an extension.

    Parameters:
        pg: versions, as in ``--pg``; empty for the newest available one.
        stages: the stages to run. Stages that must pass before them also run.
        shared_preload_libraries: the value of this setting on the servers.
        settings: settings of the servers, under their newest names.
        make: variables for make.
        data: an SQL file to run after CREATE EXTENSION, relative to the sources; dump and upgrade must preserve
            its data.
        modes: the modes of pg_upgrade.
        timeout: the deadline in seconds for each program and each statement.
        known_failures: expected failures. If such a stage or object passes, the run fails.
        excluded: objects that exist and are not to be run.
        keep: the directory in which to keep logs and the differences that pg_regress finds, relative to the
            sources.
        build, install: shell commands that build and install instead of make, with ``PG_CONFIG`` in their
            environment.
        root: the directory to copy, relative to the sources, if they need files of a parent directory.
        requires: directories of extensions that the tests require, relative to the sources. They are built in this
            order and installed into the same private install.
        test: suites to run.
        tcp: whether the servers also listen on 127.0.0.1, for tests that connect there.
        tablespaces: names of tablespaces that the regression tests need.
        previous: an earlier release to update from: a tag, a directory or a tarball, relative to the sources.
        strict: whether the run fails if something exists that was not run; None means yes in CI, and no elsewhere.
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
    excluded: tuple[Excluded, ...] = ()
    keep: str = ""
    strict: bool | None = None
    build: str = ""
    install: str = ""
    root: str = ""
    requires: tuple[str, ...] = ()
    test: tuple[NamedTests, ...] = ()
    tcp: bool = False
    tablespaces: tuple[str, ...] = ()
    previous: str = ""

    @property
    def server_settings(self) -> dict[str, str]:
        """The settings of the servers, including shared_preload_libraries."""
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
    """Read the options of a project and of the command line. The command line takes precedence.

    Parameters:
        directory: the project's directory. Its ``pgfeatures.toml`` is read, or ``[tool.pgfeatures.extension]`` in
            its ``pyproject.toml``. None if there is no project.
        given: the command line's options, under the names of :class:`Options`. Empty ones are ignored;
            ``settings`` and ``make`` add to those of the file.

    Raises:
        PgFeaturesError: a file or an option can't be read.
    """
    where, found = options_of(directory, "extension") if directory else ("", {})
    values = {name: _value(name, value, where) for name, value in found.items()}
    for name, value in given.items():
        if value or value is False:
            value = _value(name, value, "the command line")
            values[name] = values.get(name, {}) | value if isinstance(value, dict) else value
    return Options(**values)


def _value(name: str, value: Any, where: str) -> Any:
    check_name(name, (entry.name for entry in fields(Options)), where)
    return read_value(name, value, where)
