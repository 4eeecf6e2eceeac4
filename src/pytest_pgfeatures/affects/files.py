"""Evidence outside of statements: in configuration files, scripts and catalogs."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_pgfeatures.affects.fields import set_fields


@dataclass(frozen=True)
class SettingUsed:
    """A setting that the application sets or reads.

    Parameters:
        names: the settings, or regular expressions, of which one must match the whole name.
        value: a regular expression that must match the whole value. None if any use is evidence, including reading
            it (SHOW, current_setting(), pg_settings).
        file: whether only postgresql.conf and ALTER SYSTEM count.
        beside: other settings, of which at least one must be set to a non-empty value.
        scripts: whether ``name=value`` in the text of a script counts.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    names: tuple[str, ...]
    value: str | None
    file: bool
    beside: tuple[str, ...]
    scripts: bool
    may: str | None

    def __init__(
        self,
        *names: str,
        value: str | None = None,
        file: bool = False,
        beside: tuple[str, ...] = (),
        scripts: bool = True,
        may: str | None = None,
    ) -> None:
        set_fields(**locals())


@dataclass(frozen=True)
class Default:
    """A setting that the configuration does not set, so that the application relies on its default.

    Parameters:
        name: the setting.
        may: what the new default may change.
        given: settings of which at least one must be set for the default to matter; empty if it always matters.
        near: settings that depend on it: their place is shown, unless a comment has the default.
    """

    name: str
    may: str
    given: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class AccessRule:
    """A line of pg_hba.conf.

    Parameters:
        database: a regular expression that must match one of the databases as a whole; a quoted one has its quotes.
        user: a regular expression for one of the roles; a quoted one has its quotes.
        method: a regular expression for the authentication method.
        option: a regular expression for one of the options, as ``name=value``.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    database: str | None = field(default=None, kw_only=True)
    user: str | None = field(default=None, kw_only=True)
    method: str | None = field(default=None, kw_only=True)
    option: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Identity:
    """A line of pg_ident.conf.

    Parameters:
        database_user: a regular expression for the whole database user; a quoted one has its quotes.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    database_user: str = field(kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class ProgramCall:
    """A call of a program in a script.

    Parameters:
        names: the programs.
        option: options of which the call must have at least one: ``-x``, ``--xlogdir``, or ``--format=p`` with a
            value.
        unless: options of which the call must have none.
        word: a regular expression that must match some other word of the call as a whole.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    names: tuple[str, ...]
    option: tuple[str, ...]
    unless: tuple[str, ...]
    word: str | None
    may: str | None

    def __init__(
        self,
        *names: str,
        option: str | tuple[str, ...] = (),
        unless: str | tuple[str, ...] = (),
        word: str | None = None,
        may: str | None = None,
    ) -> None:
        option, unless = ((each,) if isinstance(each, str) else each for each in (option, unless))
        set_fields(**locals())


@dataclass(frozen=True)
class ScriptText:
    """Text in a script outside of comments, such as a directory or a part of a connection string.

    Parameters:
        pattern: a regular expression to search for in each line.
        settings: whether to search also in values of settings.
        sql: whether it is SQL, which is not searched for in the statements that a script sends by psql: their
            other evidence tells.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    pattern: str
    settings: bool = field(default=False, kw_only=True)
    sql: bool = field(default=False, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class CatalogQuery:
    """A query on the catalogs of the old server, after the application's schema is loaded, and after each
    definition in its queries.

    Parameters:
        query: the query. A major that lacks a catalog or column of it has no such objects. The first column names
            an object, such as ``index public.orders_code``. The other columns are names in the statement that
            creates it: it is the one of the schema files that has the first name, and most of the others.
        at: words of that statement. The place of the object is the first one that it has; else its last name.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    query: str
    at: tuple[str, ...] = field(default=(), kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefusedWith:
    """A statement that only the new server rejects, as another stage found.

    Parameters:
        sqlstate: the error code.
        message: a regular expression to search for in the message, or in the message and the line of the statement
            after it.
    """

    sqlstate: str
    message: str


@dataclass(frozen=True)
class Unseen:
    """No input shows whether the behavior affects the application.

    Parameters:
        reason: why not, and how to find out.
    """

    reason: str
