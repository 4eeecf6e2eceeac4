"""PostgreSQL's own regression scripts, split into pieces by this library and by psql.

``python -m benchmarks.sql_corpus PSQL [DIRECTORY]``: the scripts of psql's major are fetched by apt, as
those of ``plan_corpus`` are, or are the ``*.sql`` files of a directory. psql runs each script on a substitute
for a server: it records psql's messages, and accepts all of them, so that psql never skips a COPY's data after
an error.

The comparison leaves out what only psql can know: its own queries for ``\\d``, values of variables, and the
messages of ``\\g`` without a statement, ``\\gexec``, ``\\if`` and pipelines.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO

from benchmarks.regression import fetch
from pytest_pgfeatures.sql import CopyData, MetaCommand, Statement, split, statements, tokens

Pieces = list[str]
_SETTING = "standard_conforming_strings"
_SECONDS = 60


class Accepting:
    """A server of the frontend's protocol that accepts every statement, and does nothing
    (https://www.postgresql.org/docs/current/protocol-message-formats.html)."""

    def __init__(self, directory: Path) -> None:
        self.sent: list[tuple[str, str]] = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(directory / ".s.PGSQL.5432"))
        self._socket.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            client, _ = self._socket.accept()
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        stream = client.makefile("rb")
        with contextlib.suppress(OSError, struct.error):
            while _word(_body(stream)) in (80877103, 80877104):  # asks for encryption
                client.sendall(b"N")
            status = [("server_version", "18.0"), ("client_encoding", "UTF8"), (_SETTING, "on")]
            begun = _message(b"R", bytes(4)) + b"".join(_status(*each) for each in status)
            client.sendall(begun + _message(b"K", bytes(8)) + _message(b"Z", b"I"))
            while kind := stream.read(1):
                if answer := self._answer(kind, _body(stream)):
                    client.sendall(answer)

    def _answer(self, kind: bytes, body: bytes) -> bytes:
        ready = _message(b"Z", b"I")
        match kind:
            case b"Q":
                query = body[:-1].decode(errors="replace")
                self.sent.append(("query", query))
                return _said_to(query) or _message(b"C", b"SELECT 0\0") + ready
            case b"d":
                data = body.decode(errors="replace")
                before = self.sent.pop()[1] if self.sent[-1][0] == "data" else ""
                self.sent.append(("data", before + data))
                return b""
            case b"c" | b"f":
                return _message(b"C", b"COPY 0\0") + ready
            case b"P":
                self.sent.append(("query", body.split(b"\0")[1].decode(errors="replace")))
                return _message(b"1", b"")
            case b"S":
                return ready
        answers = {b"B": b"2", b"C": b"3", b"D": b"n"}
        return _message(b"C", b"SELECT 0\0") if kind == b"E" else _message(answers.get(kind, b"n"), b"")


def _said_to(query: str) -> bytes:
    """Return the messages besides a query's usual answer: a request for data, or a setting that psql follows."""
    for statement in statements(query, psql=False):
        if statement.reads_stdin:
            return _message(b"G", bytes(3))
        if statement.words[:1] == ("set",) and _SETTING in statement.words[1:3]:
            value = "off" if "off" in statement.sql else "on"
            return _status(_SETTING, value) + _message(b"C", b"SET\0") + _message(b"Z", b"I")
    return b""


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body


def _status(name: str, value: str) -> bytes:
    return _message(b"S", f"{name}\0{value}\0".encode())


def _body(stream: BinaryIO) -> bytes:
    return stream.read(_word(stream.read(4)) - 4)


def _word(body: bytes) -> int:
    return int(struct.unpack("!I", body[:4])[0])


def as_we_cut(text: str) -> Pieces:
    """Return our pieces in a comparable form."""
    found: Pieces = []
    for piece in split(text):
        if isinstance(piece, CopyData) and piece.data:
            found.append(piece.data)
        elif isinstance(piece, Statement):
            found.append(_comparable(piece.sql))
        elif isinstance(piece, MetaCommand) and piece.name == "copy":
            found.append(_comparable(f"COPY {piece.arguments}"))
    return [each for each in found if each]


def as_psql_cuts(sent: list[tuple[str, str]]) -> Pieces:
    """Return psql's messages in a comparable form; psql 15 sends the line that ends the data, too."""
    found = [
        text.removesuffix("\\.\n") if kind == "data" else _comparable(text)
        for kind, text in sent
        if "pg_catalog." not in text
    ]
    return [each for each in found if each]


def _comparable(sql: str) -> str:
    """Return the tokens of a query, words in lower case; empty statements don't count."""
    texts = [re.sub(r"\s+", " ", token.keyword or token.text) for token in tokens(sql) if token.significant]
    return " ".join(texts).strip("; ")


def main() -> None:
    """Print each script that is split differently, with the first difference, and the number of the others."""
    psql = Path(sys.argv[1]).absolute()
    major = re.search(r"\) (\d+)", subprocess.run([psql, "--version"], capture_output=True, text=True).stdout)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if len(sys.argv) > 2:
            scripts = Path(sys.argv[2])
        else:
            assert major is not None
            (top,) = fetch(place / "sources", (major[1],))
            scripts = top / "src/test/regress/sql"
        server = Accepting(place)
        environment = os.environ | {"PGHOST": name, "PGUSER": "nobody", "PSQLRC": "/dev/null/none"}
        environment["LD_LIBRARY_PATH"] = str(psql.parents[1] / "lib")
        same = different = pieces = 0
        for path in sorted(scripts.glob("*.sql")):
            server.sent.clear()
            argv = [psql, "-Xq", "-d", "none", "-f", path]
            with contextlib.suppress(subprocess.TimeoutExpired):
                subprocess.run(
                    argv,
                    env=environment,
                    cwd=name,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_SECONDS,
                )
            ours = as_we_cut(path.read_text(encoding="utf-8", errors="replace"))
            theirs = as_psql_cuts(server.sent)
            matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
            differ = [
                (ours[a:b], theirs[c:d])
                for kind, a, b, c, d in matcher.get_opcodes()
                if kind != "equal"
                and not any("pg_catalog" in each or " : " in f" {each}" for each in ours[a:b])
            ]
            pieces += len(ours)
            same += not differ
            different += bool(differ)
            if differ:
                print(f"{path.name}\n  we    {str(differ[0][0])[:200]}\n  psql  {str(differ[0][1])[:200]}")
        print(f"{same} scripts are cut as psql cuts them, {different} are not; {pieces:,} pieces")


if __name__ == "__main__":
    main()
