"""The requirements of a test for a server, in one cell of the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Cell


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """A cell of the matrix and what a test needs there: the parameter of ``pg_cell``.

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
