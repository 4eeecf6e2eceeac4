"""Requirements of tests, given by ``@pytest.mark.pg(...)``, and their result for a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError, VersionError
from pytest_pgfeatures.plugin.capabilities import capabilities_on, suite_capabilities
from pytest_pgfeatures.plugin.decorated import behavior_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pytest

    from pytest_pgfeatures.install import Cell
    from pytest_pgfeatures.version import PgMajor, VersionSet

NAME = "pg"
ISOLATIONS = ("database", "transaction", "cluster")
_ARGUMENTS = ("versions", "needs", "settings", "pg_hba", "isolation", "matrix")


def _all_versions() -> VersionSet:
    from pytest_pgfeatures.version import VersionSet  # not before a test needs a server

    return VersionSet("all")


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a test for its server.

    Parameters:
        versions: the versions to run on; the test is deselected on all others.
        needs: capabilities of the install.
        settings: server settings, under their newest names.
        isolation: one of :data:`ISOLATIONS`.
        pg_hba: lines of ``pg_hba.conf``, placed before ours.
        matrix: whether the test runs once per version of the matrix.
    """

    versions: VersionSet = field(default_factory=_all_versions)
    needs: frozenset[str] = frozenset()
    settings: tuple[tuple[str, str], ...] = ()
    isolation: str = "database"
    pg_hba: tuple[str, ...] = ()
    matrix: bool = True

    def narrowed(
        self,
        versions: str | VersionSet = "all",
        *,
        needs: Iterable[str] | Mapping[str, str] = (),
        settings: dict[str, Any] | None = None,
        pg_hba: str | Iterable[str] = (),
        isolation: str | None = None,
        matrix: bool | None = None,
        major: PgMajor | None = None,
    ) -> Requirements:
        """Add another marker's requirements. They take precedence; versions and needs are combined.

        Parameters:
            major: the server's major, since needs may apply to some majors only.

        Raises:
            VersionError: ``versions`` can't be read.
            PgFeaturesError: another argument is of the wrong kind.
        """
        from pytest_pgfeatures.version import VersionSet

        if not isinstance(settings or {}, dict):
            raise PgFeaturesError(
                f"settings={settings!r} is not a dict", remedy='write settings={"wal_level": "logical"}'
            )
        if isolation is not None and isolation not in ISOLATIONS:
            raise PgFeaturesError(
                f"there is no isolation {isolation!r}", remedy=f"use one of {', '.join(ISOLATIONS)}"
            )
        if not isinstance(versions, str | VersionSet):
            raise VersionError(
                f"{versions!r} is not a set of versions",
                remedy='write them as text, such as ">=16" or "14..18"',
            )
        if not isinstance(matrix, bool | None):
            raise PgFeaturesError(
                f"matrix={matrix!r} is neither True nor False",
                remedy='write matrix=False, or versions such as pg("14..16")',
            )
        merged = dict(self.settings)
        if settings:
            from pytest_pgfeatures.settings import as_setting

            merged |= {name: as_setting(value) for name, value in settings.items()}
        return Requirements(
            self.versions & VersionSet(versions),
            self.needs | capabilities_on(major, needs),
            tuple(sorted(merged.items())),
            isolation or self.isolation,
            (*_lines(pg_hba), *self.pg_hba),  # the first line that matches counts
            self.matrix if matrix is None else matrix,
        )


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A cell of the matrix, with a test's requirements there: the parameter of ``pg_cell``.

    Parameters:
        cell: the version, and the source if one was named.
        needs: required capabilities.
        settings: server settings.
        only_for: the node id of the only test that uses the cluster; None for a shared cluster.
        pg_hba: lines of ``pg_hba.conf``.
    """

    cell: Cell
    needs: frozenset[str]
    settings: tuple[tuple[str, str], ...]
    only_for: str | None = None
    pg_hba: tuple[str, ...] = ()


def requirements(node: pytest.Item, major: PgMajor | None = None) -> Requirements:
    """The requirements of a test: by ``--pg-needs``, its module, class and own markers, and as a behavior.

    Parameters:
        major: the server's major, because a capability may be needed on some majors only; None for all of them.

    Raises:
        PgFeaturesError: a marker can't be read.
    """
    found = Requirements(needs=suite_capabilities(node.config))
    if (behavior := behavior_of(getattr(node, "obj", None))) is not None:
        found = found.narrowed(
            needs=behavior.needs if major is None else behavior.needs_on(major),
            settings=dict(behavior.settings),
            isolation=behavior.isolation,
        )
    for marker in reversed(list(node.iter_markers(NAME))):
        for name in marker.kwargs:
            if name not in _ARGUMENTS:
                import difflib

                near = difflib.get_close_matches(name, _ARGUMENTS, n=1)
                raise PgFeaturesError(
                    f"the marker pg has no argument {name!r}",
                    remedy=f"did you mean {near[0]}?" if near else f"it takes {', '.join(_ARGUMENTS)}",
                )
        if len(marker.args) > 1:
            raise PgFeaturesError(
                f"the marker pg takes one set of versions, not {len(marker.args)} arguments",
                remedy='write several versions as one text, such as "14,16..18"',
            )
        found = found.narrowed(*marker.args, **marker.kwargs, major=major)
    return found


def _lines(pg_hba: str | Iterable[str]) -> list[str]:
    """Lines of ``pg_hba.conf``, given as a text or one by one."""
    texts = [pg_hba] if isinstance(pg_hba, str) else list(pg_hba)
    if not all(isinstance(text, str) for text in texts):
        raise PgFeaturesError(
            f"pg_hba={pg_hba!r} is not a list of lines",
            remedy='write them as pg_hba.conf has them, such as pg_hba=["local all alice md5"]',
        )
    return [line for text in texts for line in text.splitlines()]
