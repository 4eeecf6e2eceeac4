"""What a test asks of a server, in one cell of the matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Cell


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """Where a test runs: a cell of the matrix, and what it needs there. The parameter of ``pg_cell``.

    Parameters:
        cell: the version, from one source if one was named.
        needs: capabilities.
        settings: of the server.
        only_for: the node id of the one test that this cluster is for; None for a shared one.
        pg_hba: lines of ``pg_hba.conf``.
    """

    cell: Cell
    needs: frozenset[str]
    settings: tuple[tuple[str, str], ...]
    only_for: str | None = None
    pg_hba: tuple[str, ...] = ()
