"""Capabilities that a test or a whole suite needs, on all majors or on some."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError, VersionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.version import PgMajor, VersionSet

_KEY: pytest.StashKey[frozenset[str]] = pytest.StashKey()


def suite_capabilities(config: pytest.Config) -> frozenset[str]:
    """Return the capabilities that ``--pg-needs`` or the ini option ``pg_needs`` requires for all tests."""
    if _KEY not in config.stash:
        text = str(config.getoption("pg_needs") or config.getini("pg_needs"))
        names = [name for name in re.split(r"[\s,]+", text) if name]
        if names:
            from pytest_pgfeatures.install.capabilities import as_capability

            names = [as_capability(name) for name in names]
        config.stash[_KEY] = frozenset(names)
    return config.stash[_KEY]


def capabilities_on(
    major: PgMajor | None, needs: Iterable[str] | Mapping[str, str | VersionSet]
) -> frozenset[str]:
    """Return the capabilities that are needed on a major.

    Parameters:
        major: None for all majors together.
        needs: capabilities; a mapping gives the versions on which each one is needed.

    Raises:
        PgFeaturesError: ``needs`` has the wrong type.
        VersionError: the versions can't be read.
    """
    if isinstance(needs, str) or not all(isinstance(name, str) for name in needs):
        raise PgFeaturesError(
            f"needs={needs!r} is not a list of capabilities",
            remedy='write needs=["icu", "pg_dump"], or needs={"icu": ">=10"} for some versions only',
        )
    if not isinstance(needs, Mapping):
        return frozenset(needs)
    from pytest_pgfeatures.version import VersionSet

    releases = VersionSet("all") if major is None else VersionSet(major)
    try:
        return frozenset(name for name, versions in needs.items() if VersionSet(versions) & releases)
    except VersionError as error:
        raise VersionError(f"needs={needs!r}: {error.problem}", remedy=error.remedy) from None
