"""Show a first, short matrix if the store is empty, before ``pgfeatures verify`` fetches the installs for the
whole one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.install import Cell

BEHAVIORS = 12
"""The number of behaviors that the first matrix shows."""
_SPREADS = ("-n", "--numprocesses", "--dist", "--maxprocesses")


def first_look(pg: str | None, arguments: Sequence[str]) -> None:
    """Check a few behaviors on the oldest and the newest version, if the store is empty and all behaviors are to be
    checked on several versions.

    Any error here is reported by the whole run, which follows.

    Parameters:
        pg: the versions, as ``--pg`` takes them.
        arguments: the arguments for pytest.
    """
    from pytest_pgfeatures.cli.runner import run_atlas
    from pytest_pgfeatures.errors import PgFeaturesError
    from pytest_pgfeatures.workbench import Workbench

    if pg is None or _selects(arguments):
        return
    try:
        with Workbench(pg) as workbench:
            if any(workbench.store.installs.iterdir()):
                return
            cells = workbench.cells
    except (PgFeaturesError, OSError):
        return
    if len(cells) < 2:
        return
    ends = cells[0], cells[-1]
    click.echo(
        f"First {BEHAVIORS} behaviors on PostgreSQL {ends[0].major} and {ends[1].major}, whose installs are "
        f"fetched now; then all behaviors on all {len(cells)} versions.\n"
    )
    asked = ",".join(str(cell.request) for cell in ends)
    run_atlas(asked, ["-q", "--no-header", "-rN"], behaviors=_telling(*ends))
    click.echo()


def _selects(arguments: Sequence[str]) -> bool:
    """Whether arguments do more than distribute the tests over processes."""
    left = iter(arguments)
    for argument in left:
        if argument in _SPREADS:
            next(left, None)
        elif not argument.startswith(tuple(f"{option}=" for option in _SPREADS)):
            return True
    return False


def _telling(old: Cell, new: Cell) -> list[Behavior]:
    """Behaviors that differ between two versions and need no server of their own, from all areas of the atlas."""
    from pytest_pgfeatures.behaviors import registry
    from pytest_pgfeatures.behaviors.delta import delta

    quick = [
        change.behavior
        for change in delta(old.major, new.major, registry.atlas().values())
        if change.behavior.isolation == "transaction" and not change.behavior.needs
    ]
    return quick[:: max(1, len(quick) // BEHAVIORS)][:BEHAVIORS]
