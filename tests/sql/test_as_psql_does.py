"""Scripts are cut as psql cuts them: psql itself is asked, through a socket that takes down what it sends."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.sql import CopyData, MetaCommand, Statement, split, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster
    from pytest_pgfeatures.version import PgVersion

    CreatePg = Callable[..., Cluster]
    Psql = Callable[[str], list[tuple[str, str]]]


class Listener:
    """Stands between clients and a server, and takes down the queries and the data of COPY that clients send."""

    def __init__(self, directory: Path, cluster: Cluster) -> None:
        self.directory = directory
        self.sent: list[tuple[str, str]] = []
        self._server = str(cluster.socket_directory / f".s.PGSQL.{cluster.port}")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(directory / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            for passing_on in (self._pass_on, self._take_down):
                threading.Thread(target=passing_on, args=(client, server), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with contextlib.suppress(OSError):  # either side is gone
            while received := server.recv(65536):
                client.sendall(received)
        client.close()

    def _take_down(self, client: socket.socket, server: socket.socket) -> None:
        """Messages of the frontend: https://www.postgresql.org/docs/current/protocol-message-formats.html"""
        with contextlib.suppress(OSError):
            self._read(client, server)
        server.close()

    def _read(self, client: socket.socket, server: socket.socket) -> None:
        unread, started = b"", False
        while received := client.recv(65536):
            unread += received
            while len(unread) >= (head := 5 if started else 4):
                length = int.from_bytes(unread[head - 4 : head]) + head - 4
                if len(unread) < length:
                    break
                message, unread = unread[:length], unread[length:]
                if started and message[:1] == b"Q":
                    self.sent.append(("query", message[5:-1].decode()))
                elif started and message[:1] == b"d":
                    self._add_data(message[5:].decode())
                started = True
            server.sendall(received)  # now that it is taken down: psql may end as soon as it is answered
        server.close()

    def _add_data(self, data: str) -> None:
        if self.sent[-1][0] == "data":
            data = self.sent.pop()[1] + data
        self.sent.append(("data", data))

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def psql(create_pg: CreatePg, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Psql]:
    """A function that has psql run a script, and returns what psql sent for it."""
    cluster = create_pg()
    cluster.sql("CREATE TABLE t (a text)")
    place = tmp_path_factory.mktemp("s")
    listener = Listener(place, cluster)
    argv, environment = cluster.program("psql", "-Xq", "-f", place / "script.sql", "postgres")
    environment["PGHOST"], environment["PGPORT"] = str(place), "5432"

    def run(script: str) -> list[tuple[str, str]]:
        (place / "script.sql").write_bytes(script.encode())
        listener.sent.clear()
        subprocess.run(argv, env=environment, capture_output=True, timeout=60, check=False)
        return list(listener.sent)

    yield run
    listener.close()


_CONTINUED = re.compile(r"'(?:[ \t]|--[^\n]*)*\n(?:\s|--[^\n]*\n)*'")
"""Between the parts of a string on several lines."""


def tokens_of(sql: str, version: PgVersion) -> list[str]:
    """What counts of a query: no empty statement before it, which \\; ended; up to 14, psql leaves out comments."""
    found = [token for token in tokens(sql, version=version) if token.significant]
    while found and found[0].text == ";":
        del found[0]
    return [_CONTINUED.sub("'\n'", token.text) if token.complete else token.text.rstrip() for token in found]


def as_we_cut(script: str, version: PgVersion) -> list[tuple[str, list[str] | str]]:
    """What psql would send for the pieces that we find."""
    found: list[tuple[str, list[str] | str]] = []
    for piece in split(script, version=version):
        if isinstance(piece, CopyData) and piece.data:
            found.append(("data", piece.data))
        elif isinstance(piece, Statement):
            found.append(("query", tokens_of(piece.sql + ";" * (piece.ended_by == ";"), version)))
        elif isinstance(piece, MetaCommand) and piece.name == "copy":
            copy = f"COPY {piece.arguments.replace('from stdin', 'FROM STDIN')}"
            found.append(("query", tokens_of(copy, version)))
    return found


def as_psql_cuts(sent: list[tuple[str, str]], version: PgVersion) -> list[tuple[str, list[str] | str]]:
    """What psql sent, but for comments alone and semicolons that end no statement: it sends those, too."""
    cut = [("query", tokens_of(text, version)) if kind == "query" else (kind, text) for kind, text in sent]
    return [piece for piece in cut if piece[1]]


SQL = (
    *(
        "SELECT 1",
        "select 'a;b'",
        "E'\\';'",
        '";"',
        "$$;$$",
        "$x$ ; $$ $x$",
        "(",
        ")",
        "[",
        "]",
        ";",
        ";",
        ";\n",
    ),
    *(
        "\n",
        " ",
        "/* ; */",
        "/* /* ; */ */",
        "-- ;\n",
        "'",
        "/*",
        "$$",
        '"',
        "::int",
        ":a ",
        ":'a' +",
        "a[1:2]",
    ),
    *("CREATE FUNCTION f() ", "CREATE OR REPLACE PROCEDURE ", "BEGIN ATOMIC ", "begin ", " CASE ", " END "),
    *("CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);", "create", "or", "function f", " end; "),
    *("U&'\\;'", "1.5e3", "é"),
)
PSQL = (
    *("\\;", "SELECT 1\\g\n", "SELECT 2 \\gset x\n", "\\echo a;b\n", "\\echo 'a;\n", "\\r\n"),
    *(";\\a \\t \\\\", ";\\pset format 'aligned' \\\\ "),
)
COPIES = (
    *("COPY t FROM stdin;\n1\n;\n'\n\\.\n", "COPY t (a) FROM stdin;\n\\.\n", "SELECT 1;\n"),
    *("\\copy t from stdin\n2\n\\.\n", "\\echo x\n", "-- '\n"),
)
SCRIPTS = st.one_of(
    st.lists(st.sampled_from(SQL), max_size=12).map("".join),
    st.lists(st.sampled_from((*SQL, *PSQL)), max_size=12).map("".join),
    st.text("aeE'\"$;()/*- \n", max_size=30),
    st.lists(st.sampled_from(COPIES), max_size=5).map("".join),
)


@pytest.mark.pg("14,>=18", needs=["psql"])
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=SCRIPTS)
@example(script="SELECT (1; SELECT 2); SELECT 3;")
@example(script="CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 1; END; SELECT 2;")
@example(script="SELECT 1 \\; SELECT 2; SELECT 3\\g\nSELECT 4")
@example(script="SELECT 'a' -- ;\n ';' ; SELECT 1;")
@example(script="SELECT 1 \\\\ ; SELECT 2;\nSELECT 3;")
@example(script="'E'\\';'U&'\\;' SELECT 1;\nSELECT 2;")
def test_scripts_are_cut_as_psql_cuts_them(psql: Psql, pg_cluster: Cluster, script: str) -> None:
    version = pg_cluster.version
    assert as_we_cut(script, version) == as_psql_cuts(psql(script), version)


OLD_STRINGS = r"""
SET standard_conforming_strings = off;
SELECT 'a\';b';
SELECT U&' \';
SET standard_conforming_strings = on;
SELECT 'c\'; SELECT 1;
"""


@pytest.mark.pg("14,>=18", needs=["psql"])
def test_set_changes_how_psql_reads_strings(psql: Psql) -> None:
    ours = [piece.sql for piece in split(OLD_STRINGS) if isinstance(piece, Statement)]
    assert [text.rstrip(";") for _, text in psql(OLD_STRINGS)] == ours


@pytest.mark.pg("14,>=18", needs=["pg_dump", "psql"])
def test_a_dump_is_cut_as_psql_cuts_it(create_pg: CreatePg, psql: Psql) -> None:
    cluster = create_pg()
    cluster.sql(
        """
        CREATE TYPE mood AS ENUM ('a;b', 'c''d');
        CREATE TABLE u (a int, b text, "c;d" mood);
        INSERT INTO u VALUES (1, E'x\\ny\\t;', 'a;b'), (2, '\\.', NULL), (3, '$$', 'c''d');
        CREATE TABLE nothing ();
        CREATE FUNCTION f(int) RETURNS int LANGUAGE plpgsql AS $f$ BEGIN RETURN $1; END; $f$;
        CREATE FUNCTION g() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END;
        CREATE RULE r AS ON DELETE TO u DO ALSO (INSERT INTO u VALUES (4); UPDATE u SET a = 5);
        COMMENT ON TABLE u IS E'it''s ; \\\\';
        """
    )
    argv, environment = cluster.program("pg_dump", "postgres")
    dump = subprocess.run(argv, env=environment, capture_output=True, text=True, check=True).stdout
    sent = as_psql_cuts(psql(dump), cluster.version)
    assert len(sent) > 15
    assert as_we_cut(dump, cluster.version) == sent
    restored = [piece for piece in split(dump) if isinstance(piece, CopyData)]
    assert [piece.data.count("\n") for piece in restored if "mood" not in piece.data] == [0, 3]
