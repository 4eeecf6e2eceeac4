"""EXPLAIN's options and the names of error conditions, which no catalog lists and which are found by trial.

Each word that occurs in the server's own files is tried once. The server accepts or rejects it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.install.probe import find_layout

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.install import Install

_TRY = """
CREATE FUNCTION pg_temp.known(words text[], statement text, unknown text)
RETURNS TABLE (word text, said text) LANGUAGE plpgsql AS $$
BEGIN
    FOREACH word IN ARRAY words LOOP
        BEGIN
            EXECUTE replace(statement, '<word>', quote_ident(word));
            RETURN NEXT;
        EXCEPTION WHEN OTHERS THEN
            said := SQLERRM;
            IF said NOT LIKE unknown THEN
                RETURN NEXT;
            END IF;
        END;
    END LOOP;
END $$
"""
_CALL = "SELECT word, said FROM pg_temp.known(%s, %s, %s)"
_CONDITION = """
DO $do$ BEGIN
    RAISE <word>;
EXCEPTION WHEN <word> THEN
    RAISE data_exception USING MESSAGE = SQLSTATE;
END $do$
"""


def explain_options(connection: psycopg.Connection, install: Install) -> dict[str, dict[str, str]]:
    """The options that EXPLAIN takes in parentheses
    (https://www.postgresql.org/docs/current/sql-explain.html)."""
    words = sorted(set(_words(install.program("postgres"))))
    connection.execute(_TRY.encode())
    rows = connection.execute(_CALL, [words, "EXPLAIN (<word>) SELECT 1", "unrecognized EXPLAIN option%"])
    return {word.upper(): {} for word, _ in rows}


def error_conditions(connection: psycopg.Connection, install: Install) -> dict[str, dict[str, str]]:
    """The error conditions that PL/pgSQL knows by name, each with its SQLSTATE
    (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
    directory = find_layout(install.bindir, install.version).pkglibdir
    if directory is None:
        return {}
    words = sorted({word for path in directory.glob("plpgsql.*") for word in _words(path)})
    rows = connection.execute(_CALL, [words, _CONDITION, "unrecognized exception condition%"])
    return {word: {"SQLSTATE": said} for word, said in rows if re.fullmatch("[0-9A-Z]{5}", said)}


def _words(path: Path) -> Iterator[str]:
    """The words in a program's text, in lower case.

    A compiler may store a short word in pieces, but the name of each option also occurs in a message. A linker may
    store a name as the end of a longer one.
    """
    for found in set(re.findall(rb"[A-Za-z][A-Za-z_]{1,62}", path.read_bytes())):
        word = found.decode().lower()
        yield word
        parts = word.split("_")
        yield from (part for part in parts if len(part) > 1)
        yield from ("_".join(parts[start:]) for start in range(1, len(parts)))
