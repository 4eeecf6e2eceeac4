"""Server settings under their newest names, for servers of every major.

A test uses the newest name of a setting; an older server is given the name that it knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.version import PgMajor, VersionSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.version import PgVersion


@dataclass(frozen=True, slots=True)
class Renamed:
    """A setting that had another name in older majors, with the same meaning, values and unit."""

    name: str
    """The newest name."""
    older_name: str
    versions: VersionSet
    """The servers that know only the older name."""


RENAMED: tuple[Renamed, ...] = (
    # https://www.postgresql.org/docs/release/16.0/: force_parallel_mode became debug_parallel_query
    Renamed("debug_parallel_query", "force_parallel_mode", VersionSet("9.6..15")),
    # https://www.postgresql.org/docs/release/10.0/: split into a table and an index scan size
    Renamed("min_parallel_table_scan_size", "min_parallel_relation_size", VersionSet("9.6")),
)


@dataclass(frozen=True, slots=True)
class Revalued:
    """A setting's value that has another name in older majors, or the nearest equivalent there."""

    name: str
    value: str
    """The newest spelling."""
    older_value: str
    versions: VersionSet
    """The servers that take only the older value."""


REVALUED: tuple[Revalued, ...] = (
    # https://www.postgresql.org/docs/release/9.6.0/: archive and hot_standby became replica
    Revalued("wal_level", "replica", "hot_standby", VersionSet("<9.6")),
    # https://www.postgresql.org/docs/release/9.4.0/: logical decoding came; hot_standby was the highest level
    Revalued("wal_level", "logical", "hot_standby", VersionSet("<9.4")),
)


@dataclass(frozen=True, slots=True)
class Added:
    """Settings that a major added together with the feature that they control."""

    since: PgMajor
    names: tuple[str, ...]


# The release notes of each major, https://www.postgresql.org/docs/release/
ADDED: tuple[Added, ...] = (
    Added(
        PgMajor("9.6"),
        (
            "debug_parallel_query",
            "max_parallel_workers_per_gather",
            "min_parallel_table_scan_size",
            "parallel_setup_cost",
            "parallel_tuple_cost",
        ),
    ),
    Added(PgMajor("10"), ("enable_gathermerge", "max_parallel_workers", "min_parallel_index_scan_size")),
    Added(
        PgMajor("11"),
        ("enable_parallel_append", "enable_parallel_hash", "jit", "parallel_leader_participation"),
    ),
    Added(PgMajor("12"), ("plan_cache_mode",)),
    Added(PgMajor("13"), ("enable_incremental_sort", "hash_mem_multiplier")),
    Added(PgMajor("14"), ("default_toast_compression", "enable_memoize")),
    Added(PgMajor("16"), ("enable_presorted_aggregate", "reserved_connections", "vacuum_buffer_usage_limit")),
    Added(PgMajor("17"), ("enable_group_by_reordering",)),
    Added(PgMajor("18"), ("enable_distinct_reordering", "enable_self_join_elimination")),
)


def exists(name: str, version: PgVersion) -> bool:
    """Return whether a server of this version has a setting, under this name or an older one.

    Parameters:
        name: the setting's newest name. A name that is in no table here is assumed to exist: the server
            itself reports misspelled names.
    """
    return not any(name in added.names and version.major < added.since for added in ADDED)


def name_for(name: str, version: PgVersion) -> str:
    """Return the name of a setting on a server of this version.

    Parameters:
        name: the setting's newest name; a name without an older form is returned unchanged.
        version: the server's version.
    """
    for renamed in RENAMED:
        if renamed.name == name and version in renamed.versions:
            return renamed.older_name
    return name


def as_setting(value: object) -> str:
    """Return a setting's value as in configuration files and SET, before quoting.

    >>> as_setting(True), as_setting("64MB"), as_setting(1.5)
    ('on', '64MB', '1.5')
    """
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def for_version(settings: Mapping[str, str], version: PgVersion) -> dict[str, str]:
    """Return ``settings`` with the names and values that a server of this version knows."""
    return {name_for(name, version): _value_for(name, value, version) for name, value in settings.items()}


def given(settings: Mapping[str, object] | Path | None) -> Mapping[str, object]:
    """Return the settings that a caller gives as a mapping, as the path of a ``postgresql.conf``, or as None.

    Raises:
        PgFeaturesError: the file can't be read.
    """
    if isinstance(settings, Path):
        from pytest_pgfeatures.settings_file import read_settings

        return read_settings(settings)
    return settings or {}


def _value_for(name: str, value: str, version: PgVersion) -> str:
    for revalued in REVALUED:
        if (revalued.name, revalued.value) == (name, value) and version in revalued.versions:
            return revalued.older_value
    return value
