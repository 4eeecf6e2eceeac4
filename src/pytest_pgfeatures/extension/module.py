"""The stage ``create`` of a module. A module has no control file: servers load it with ``LOAD``, as an output
plugin, or through ``shared_preload_libraries``
(https://www.postgresql.org/docs/current/logicaldecoding-output-plugin.html)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.install_copy import library_file
from pytest_pgfeatures.extension.model import Done, StageError
from pytest_pgfeatures.extension.refusals import details_of, first_line
from pytest_pgfeatures.server.account_files import read_file

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.workspace import Workspace

_SYMBOL = b"_PG_output_plugin_init"
_SLOT = "pgfeatures"


def load(workspace: Workspace) -> Done:
    """Load each module into a server; decode a transaction if it is an output plugin."""
    done = []
    preloaded = set(workspace.options.shared_preload_libraries)
    for name in workspace.modules:
        decodes = _SYMBOL in read_file(library_file(workspace.install_copy, name), workspace.clusters.account)
        with workspace.fresh_database() as connection:
            try:
                connection.execute(sql.SQL("LOAD {}").format(sql.Literal(name)))
            except psycopg.Error as error:
                remedy = f"what to do: --preload-library {name}, if it must be loaded when the server starts"
                raise StageError(
                    f"LOAD '{name}': {first_line(error)}", (*details_of(error), remedy)
                ) from None
            if decodes:
                _decode(connection, name)
        how = ", ".join(
            ["loaded", *(["preloaded"] if name in preloaded else []), *(["decodes"] if decodes else [])]
        )
        done.append(f"{name} {how}")
    return Done("; ".join(done))


def _decode(connection: psycopg.Connection, name: str) -> None:
    try:
        connection.execute("SELECT pg_create_logical_replication_slot(%s, %s)", [_SLOT, name])
    except psycopg.Error as error:
        raise StageError(
            f"the output plugin {name} gets no slot: {first_line(error)}", details_of(error)
        ) from None
    try:
        connection.execute("CREATE TABLE decoded (id int PRIMARY KEY, said text)")
        connection.execute("INSERT INTO decoded VALUES (1, 'one')")
        connection.execute("UPDATE decoded SET said = 'two'")
        connection.execute("SELECT * FROM pg_logical_slot_get_binary_changes(%s, NULL, NULL)", [_SLOT])
    except psycopg.Error as error:
        raise StageError(
            f"the output plugin {name} does not decode: {first_line(error)}", details_of(error)
        ) from None
    finally:
        connection.execute("SELECT pg_drop_replication_slot(%s)", [_SLOT])
