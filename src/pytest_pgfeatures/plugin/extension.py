"""The fixture ``pg_extension``, for Python tests of an extension that must be built first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.options import EXTENSION

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from pytest_pgfeatures.extension.options import Options
    from pytest_pgfeatures.extension.source import Source
    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.plugin.marker import ServerSpec
    from pytest_pgfeatures.plugin.session import PgSession

    Key = tuple[Install, tuple[tuple[str, str], ...]]

_BUILT = pytest.StashKey["dict[Key, tuple[Workspace, Callable[[psycopg.Connection], object]]]"]()


def built(
    config: pytest.Config, spec: ServerSpec, session: PgSession
) -> tuple[Workspace, Callable[[psycopg.Connection], object]]:
    """Return the extension installed on the cell's version, and a function that creates it in a database."""
    from pytest_pgfeatures.extension.options import read_options
    from pytest_pgfeatures.extension.source import find_source

    named = config.getini(EXTENSION)
    path = config.rootpath / named if (config.rootpath / named).exists() else Path(named)
    options = read_options(
        path.resolve() if path.is_dir() else config.rootpath, {"settings": dict(spec.settings)}
    )
    source = find_source(path, root=options.root, has_commands=bool(options.build))
    needed = "pgxs" if source.is_built else f"contrib:{source.name}"
    install = session.install(replace(spec, needs=spec.needs | {needed}, only_for=None))
    built = config.stash.setdefault(_BUILT, {})
    key = (install, spec.settings)
    if key not in built:
        built[key] = _build(spec, session, source, options, install)
    return built[key]


def _build(
    spec: ServerSpec, session: PgSession, source: Source, options: Options, install: Install
) -> tuple[Workspace, Callable[[psycopg.Connection], object]]:
    from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError
    from pytest_pgfeatures.extension import build
    from pytest_pgfeatures.extension.create import create_extension
    from pytest_pgfeatures.extension.model import LackingError, NothingToDoError, StageError
    from pytest_pgfeatures.extension.workspace import Workspace

    workspace = Workspace(spec.cell.id, source, options, install, session.workbench.clusters)
    try:
        for stage in (build.build, build.install):
            stage(workspace)
    except NothingToDoError:
        pass
    except LackingError as error:
        raise CapabilityMissingError(
            error.summary, capability=error.capability, details=error.details
        ) from None
    except StageError as error:
        raise PgFeaturesError(
            f"{source.name} on {spec.cell.id}: {error.summary}",
            details=error.details,
            remedy="'pgfeatures extension' shows all stages on all versions",
        ) from None

    def load(connection: psycopg.Connection) -> None:
        for name in workspace.names:
            try:
                create_extension(connection, name, if_not_exists=True)
            except (LackingError, StageError) as error:
                raise PgFeaturesError(error.summary, details=error.details) from None

    return workspace, load
