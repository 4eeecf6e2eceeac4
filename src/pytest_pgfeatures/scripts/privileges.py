"""Run untrusted statements as a role that is not a superuser.

A dump can do everything to a server's machine that its loading role may do: DO blocks, triggers, defaults,
indexes on expressions and materialized views all run its code. So it is loaded by a role without rights to
files, programs and other roles, on a connection of its own, where no statement of the dump leads back to a
superuser. A few definitions need a superuser and evaluate no code of the dump. A superuser runs these, one by
one, on another connection.

https://www.postgresql.org/docs/current/role-attributes.html
https://www.postgresql.org/docs/current/predefined-roles.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import psycopg
from psycopg import sql as compose

from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.sql import Token

LOADER = "postgres"
"""The role that loads a dump, and runs everything that may evaluate code of the dump. Dumps name this role."""
NOT_ALLOWED = "42501"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
CLEAN_SESSION = "-c search_path=pg_catalog -c lock_timeout=10s"
"""Options of a superuser's connection to a database with other roles' objects, whose names are not looked up."""

NO_PLACE = re.compile(r"permission denied for (?P<kind>schema|database) (?P<name>.+)")
"""The error of ALTER ... OWNER TO if the new owner may not create objects in the same place."""

Kind = Literal["extension", "event trigger", "function", "publication", "role", "role setting", "triggers"]

_ELSEWHERE = frozenset({"database", "tablespace", "subscription", "system"})
_CHANGING = frozenset({"create", "drop", "alter"})
_LEAVING = _CHANGING | {"copy", "prepare"}
_ROLES = frozenset({"role", "user", "group"})
_ROUTINES = frozenset({"function", "procedure", "routine"})
_SESSION_USERS = frozenset({"current_user", "session_user", "current_role"})
_HAS_BYPASSRLS = VersionSet(">=9.5")  # https://www.postgresql.org/docs/release/9.5.0/
_OWNS_PUBLIC = VersionSet(">=15")
"""The owner of the database owns the schema public, too: https://www.postgresql.org/docs/release/15.0/."""
_HAS_ROUTINES = VersionSet(">=11")  # https://www.postgresql.org/docs/release/11.0/
_TOO_MUCH = """
    SELECT m.rolname FROM pg_catalog.pg_roles m, pg_catalog.pg_roles r
     WHERE NOT m.rolsuper AND m.rolname !~ '^pg_' AND pg_catalog.pg_has_role(m.oid, r.oid, 'MEMBER')
       AND (r.rolsuper OR r.rolname IN ('pg_execute_server_program', 'pg_read_server_files',
                                        'pg_write_server_files', 'pg_create_subscription'))
     UNION ALL
    SELECT 'the superuser' WHERE NOT EXISTS (
        SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper AND rolcanlogin)
"""
_IS_THERE = "SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = {loader}"
_STRONG = """
    SELECT rolname FROM pg_catalog.pg_roles
     WHERE rolname <> current_user AND rolname !~ '^pg_' AND (rolsuper OR rolcreaterole OR rolreplication)
"""
_NOT_OURS = """
    SELECT rolname FROM pg_catalog.pg_roles r
     WHERE NOT rolsuper AND rolname !~ '^pg_' AND NOT pg_catalog.pg_has_role({loader}, oid, 'MEMBER')
"""
_FIRING = "SELECT evtname FROM pg_catalog.pg_event_trigger WHERE evtenabled <> 'D'"
_CREATED = """
    SELECT p.oid::pg_catalog.regprocedure::text, pg_catalog.pg_get_userbyid(p.proowner) = current_user,
           l.lanpltrusted AND p.oid >= 16384 AND NOT o.rolsuper
           AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = p.oid
                              AND d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.deptype = 'e')
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
      JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace JOIN pg_catalog.pg_roles o ON o.oid = n.nspowner
     WHERE p.xmin::text = (pg_catalog.txid_current() % 4294967296)::text
"""
"""The functions created in this transaction: whether the superuser owns them, and whether a loading role may
own them."""
_OF_EXTENSIONS = """
    SELECT c.oid::pg_catalog.regclass::text FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_depend d ON d.objid = c.oid AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
     WHERE d.deptype = 'e' AND c.relkind IN ('r', 'p', 'S')
       AND c.relnamespace <> 11
"""


def is_held_back(sql: str, *, standard_conforming_strings: bool = True) -> bool:
    """Whether a text has a statement that concerns other databases, directories, programs or hosts.

    These are COPY from and to files and programs, ALTER SYSTEM, PREPARE TRANSACTION, and the creation and change of
    databases, tablespaces and subscriptions.
    """
    first = next((token for token in tokens(sql) if token.significant), None)
    if ";" not in sql and (first is None or first.keyword not in _LEAVING):
        return False  # without a look at text that may have megabytes
    return any(_leaves_database(each) for each in _statements(sql, standard_conforming_strings))


def _statements(sql: str, standard_conforming_strings: bool = True) -> Iterator[list[Token]]:
    """The tokens of each statement, without white space and comments."""
    found: list[Token] = []
    for token in tokens(sql, standard_conforming_strings=standard_conforming_strings):
        if token.text == ";":
            yield found
            found = []
        elif token.significant:
            found.append(token)
    yield found


def _leaves_database(found: list[Token]) -> bool:
    first, second = _words(found, 2)
    if first == "copy":
        at = next((at for at, token in _outside(found) if token.keyword in ("from", "to")), None)
        target = found[at + 1] if at is not None and at + 1 < len(found) else None
        return target is not None and (target.kind == "string" or target.keyword == "program")
    return (first in _CHANGING and second in _ELSEWHERE) or (first, second) == ("prepare", "transaction")


def _outside(found: list[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens outside of parentheses, with their numbers."""
    depth = 0
    for at, token in enumerate(found):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            yield at, token


def _words(found: list[Token], count: int) -> tuple[str, ...]:
    """The first keywords; empty for other tokens, and beyond the end."""
    words = [token.keyword for token in found[:count]]
    return (*words, *[""] * (count - len(words)))


def needs_superuser(found: list[Token]) -> Kind | None:
    """The kind of a definition that a superuser may run without evaluating code of a dump; None for others."""
    first, second, third, fourth = _words(found, 4)
    outside = [token.keyword for _, token in _outside(found)]
    if (first, second) == ("comment", "on"):
        first, second, third = "create", third, fourth
    if first in ("grant", "revoke"):
        return None if "on" in outside else "role"
    if first not in _CHANGING:
        return None
    if second == "extension":
        return "extension" if first != "alter" else None
    if (second, third) == ("event", "trigger"):
        return "event trigger"
    if second == "publication":
        return "publication"
    if second in _ROLES and third != "mapping":
        changes = first == "alter" and any(word in ("set", "reset") for word in outside)
        return "role setting" if changes else "role"
    if (second if second != "or" else fourth) in _ROUTINES:
        return "function" if "leakproof" in outside else None
    if (first, second) == ("alter", "table") and outside[-2:] == ["trigger", "all"]:
        return "triggers" if "," not in [token.text for token in found] else None
    return None


def _changes_owner(found: list[Token]) -> bool:
    return [token.keyword for token in found[-3:-1]] == ["owner", "to"]


def as_role(sql: str) -> str:
    """A statement for a role that is not a superuser: SET ROLE replaces SET SESSION AUTHORIZATION."""
    first = next((token for token in tokens(sql) if token.significant), None)
    if first is None or first.keyword not in ("set", "reset"):
        return sql  # without a look at text that may have megabytes
    found = next(_statements(sql))
    words = [token.keyword for token in found]
    if words[:3] == ["reset", "session", "authorization"]:
        return "RESET ROLE"
    local = ["LOCAL"] if words[1:2] == ["local"] else []
    start = 2 if words[1:2] in (["local"], ["session"]) and words[2:3] == ["session"] else 1
    if (
        words[:1] != ["set"]
        or words[start : start + 2] != ["session", "authorization"]
        or len(found) <= start + 2
    ):
        return sql
    role = found[start + 2]
    if role.keyword == "default":
        return "RESET ROLE"
    return " ".join(("SET", *local, "ROLE", role.text))


def new_owner(sql: str) -> str | None:
    """The role in ALTER ... OWNER TO, as written; None for other statements."""
    found = [token for token in next(_statements(sql)) if token.text != ";"]
    if not found or found[0].keyword != "alter" or not _changes_owner(found):
        return None
    return found[-1].text if found[-1].kind in ("word", "identifier") else None


def hand_over(connection: psycopg.Connection, *, trusted: bool, role: str = LOADER) -> None:
    """Give a database to a role that loads a dump into it. The role is created unless it exists.

    Parameters:
        connection: a superuser's connection to the database.
        trusted: whether the role is a superuser, so that the dump can do anything.
        role: its name.
    """
    version = PgVersion.from_num(connection.info.server_version)
    name = compose.Identifier(role)
    if connection.execute("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = %s", [role]).fetchone() is None:
        rights = "SUPERUSER" if trusted else "BYPASSRLS" if version in _HAS_BYPASSRLS else ""
        connection.execute(compose.SQL("CREATE ROLE {} LOGIN {}").format(name, compose.SQL(rights)))
    database = compose.Identifier(connection.info.dbname)
    connection.execute(compose.SQL("ALTER DATABASE {} OWNER TO {}").format(database, name))
    if version not in _OWNS_PUBLIC:
        connection.execute(compose.SQL("ALTER SCHEMA public OWNER TO {}").format(name))


class RefusedError(psycopg.errors.InsufficientPrivilege):
    """A statement would give more rights than a dump may have."""


@dataclass(frozen=True, slots=True)
class Definer:
    """Runs statements that need a superuser, one by one, and makes sure that no other role gets more rights.

    Parameters:
        connection: a superuser's connection to the database that is loaded, in autocommit mode.
        role: the loading role.
    """

    connection: psycopg.Connection
    role: str = LOADER

    def takes(self, sql: str) -> bool:
        """Whether it runs a statement of this kind."""
        found, *others = _statements(sql)
        return not any(others) and needs_superuser(found) is not None

    def define(self, sql: bytes, search_path: str, *, keep: bool = True) -> None:
        """Run a statement that :meth:`takes` accepts.

        Parameters:
            search_path: the loading session's setting.
            keep: whether the result stays; otherwise, it is rolled back.

        Raises:
            psycopg.Error: the server refuses it; or it would give a role too many rights, and is undone.
        """
        found = next(_statements(sql.decode("utf-8", "surrogateescape")))
        kind = needs_superuser(found)
        assert kind is not None
        if kind in ("event trigger", "publication") and _changes_owner(found):
            return  # only a superuser may own it
        with self.connection.transaction(force_rollback=not keep):
            if kind == "role setting":
                self._become(found[2])
            if kind not in ("role", "role setting"):
                self._set("search_path", search_path)
            self.connection.execute(sql, prepare=False)
            self.connection.execute("RESET ROLE")
            self._set("search_path", "pg_catalog")
            self._settle(kind)

    def helps(
        self,
        connection: psycopg.Connection,
        sql: str,
        message: str,
        run: Callable[[bytes], object],
        *,
        keep: bool = True,
    ) -> bool:
        """Run a statement that the server refused to the loading role as superuser, if that is safe.

        Parameters:
            connection: the loading role's connection, not in a failed transaction.
            message: the server's error.
            run: runs a statement on that connection.
            keep: whether the result stays; otherwise, it is rolled back.

        Returns:
            whether the statement has been run.

        Raises:
            psycopg.Error: the server refuses it now.
        """
        if self.takes(sql):
            row = connection.execute("SHOW search_path").fetchone()
            self.define(encoded(sql), row[0] if row else "", keep=keep)
            return True
        owner = new_owner(sql)
        if owner is not None and owner.strip('"') == self.connection.info.user:
            return True  # the loading role stands for the superuser
        place = NO_PLACE.fullmatch(message)
        if owner is None or place is None:
            return False
        on = f"{place['kind']} {compose.Identifier(place['name']).as_string(connection)}"
        run(encoded(f"GRANT CREATE ON {on} TO {owner}"))
        try:
            run(encoded(sql))
        finally:
            run(encoded(f"REVOKE CREATE ON {on} FROM {owner}"))
        return True

    def create_role(self, name: str) -> None:
        """Create a role that a dump names, without any rights."""
        statement = compose.SQL("CREATE ROLE {}").format(compose.Identifier(name))
        self.define(statement.as_string(self.connection).encode(), "")

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("SELECT pg_catalog.set_config(%s, %s, true)", [name, value])

    def _become(self, role: Token) -> None:
        """Continue as a role, which may change its own settings, as far as the server lets it."""
        own = role.keyword in _SESSION_USERS
        name = compose.Identifier(self.role) if own else compose.SQL(role.text)
        self.connection.execute(compose.SQL("SET LOCAL ROLE {}").format(name))
        query = "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user"
        if self.connection.execute(query).fetchone() != (False,):
            raise RefusedError("settings of a superuser are not changed")

    def _settle(self, kind: Kind) -> None:
        """Revoke rights that a statement gave beyond those of a dump; if that is impossible, undo the statement."""
        if kind == "event trigger":
            self._each(_FIRING, "ALTER EVENT TRIGGER {} DISABLE")
        elif kind == "extension":
            self._each(_OF_EXTENSIONS, "GRANT ALL ON TABLE {} TO {loader}", quoted=True)
            self._each(
                "SELECT fdwname FROM pg_catalog.pg_foreign_data_wrapper",
                "GRANT USAGE ON FOREIGN DATA WRAPPER {} TO {loader}",
            )
        elif kind == "function":
            self._own_functions()
        elif kind == "role":
            if not self._rows(_IS_THERE):
                raise psycopg.Rollback  # it was renamed
            self._run("ALTER ROLE {} LOGIN CONNECTION LIMIT -1", compose.Identifier(self.role))
            self._each(_STRONG, "ALTER ROLE {} NOSUPERUSER NOCREATEROLE NOREPLICATION")
            for (name,) in self._rows(_NOT_OURS):
                try:
                    with self.connection.transaction():
                        self._run("GRANT {} TO {loader}", compose.Identifier(name))
                except psycopg.errors.InvalidGrantOperation:
                    pass  # it is a member of the loading role
        if kind == "role" and (strong := self._rows(_TOO_MUCH)):
            raise RefusedError(
                f"{strong[0][0]} would get rights of a superuser, or those to files and programs"
            )

    def _own_functions(self) -> None:
        version = PgVersion.from_num(self.connection.info.server_version)
        routine = "ROUTINE" if version in _HAS_ROUTINES else "FUNCTION"
        for signature, ours, allowed in self._rows(_CREATED):
            if not allowed:
                raise RefusedError(f"{signature} is in an untrusted language, or in a superuser's schema")
            if ours:
                self._run(f"ALTER {routine} {{}} OWNER TO {{loader}}", compose.SQL(signature))

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        loader = compose.Literal(self.role)
        return self.connection.execute(compose.SQL(query).format(loader=loader)).fetchall()

    def _each(self, query: str, statement: str, *, quoted: bool = False) -> None:
        for (name,) in self._rows(query):
            self._run(statement, compose.SQL(str(name)) if quoted else compose.Identifier(str(name)))

    def _run(self, statement: str, name: compose.Composable) -> None:
        loader = compose.Identifier(self.role)
        self.connection.execute(compose.SQL(statement).format(name, loader=loader))
