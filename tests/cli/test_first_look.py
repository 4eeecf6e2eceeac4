"""From an empty store `pgfeatures verify` shows a short matrix first."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.cli.first_look import BEHAVIORS
from pytest_pgfeatures.install import Install, Resolver, Store

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def asked() -> str:
    """Two versions, as directories of installs, which an empty store has, too."""
    resolver = Resolver(Store.open())
    installs: list[Install] = [resolver.resolve(resolver.cell(major).request, ()) for major in ("16", "18")]
    return ",".join(f"path:{install.bindir.parent}" for install in installs)


def look(store: Path, pg: str, *arguments: str) -> str:
    """The output of a first look, in a process of its own."""
    code = (
        "import sys\n"
        "from pytest_pgfeatures.cli.first_look import first_look\n"
        "first_look(sys.argv[1], sys.argv[2:])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, pg, *arguments],
        env=os.environ | {"PGFEATURES_CACHE": str(store), "PGFEATURES_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return ended.stdout


def test_a_dozen_behaviors_on_the_oldest_and_the_newest(reachable_path: Path, asked: str) -> None:
    shown = look(reachable_path, asked, "-n", "auto", "--dist=loadgroup")
    assert shown.startswith(f"First {BEHAVIORS} behaviors on PostgreSQL 16 and 18, ")
    assert f"{2 * BEHAVIORS} passed" in shown
    rows = [line for line in shown.splitlines() if line.endswith(("○  ●", "●  ○", "●  ●"))]
    assert len(rows) == BEHAVIORS


def test_none_where_something_is_in_the_store(reachable_path: Path, asked: str) -> None:
    Store.open(reachable_path).installs.joinpath("pypi-18.0-linux-x86_64").mkdir()
    assert look(reachable_path, asked) == ""


@pytest.mark.parametrize("arguments", [("-k", "vacuum"), ("-n", "2", "--lf"), ("--collect-only",)])
def test_none_where_something_else_is_asked(
    reachable_path: Path, asked: str, arguments: tuple[str, ...]
) -> None:
    assert look(reachable_path, asked, *arguments) == ""


def test_none_of_a_single_version(reachable_path: Path, asked: str) -> None:
    assert look(reachable_path, asked.partition(",")[0]) == ""
