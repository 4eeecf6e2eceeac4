"""The kinds of evidence that a behavior affects an application.

All kinds have ``may``: None if the evidence is certain; otherwise the reason why a person has to check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_ARGUMENTS: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True)
class Sql:
    """A pattern over a statement's tokens, written like the synopses of PostgreSQL's manual.

    ==================  ============================================================================
    ``WORD``            a keyword, in any case; ``A|B`` is one of several
    ``name``            a name, quoted or not
    ``( , = ::``        punctuation or an operator
    ``[ A B ]``         optional
    ``...``             any tokens up to a ``)``; a pair of parentheses is skipped with its contents;
                        ``...!A|B`` also stops at A or B
    ``***``             any tokens to the end of the statement
    ``<name>``          a name, quoted or not, with or without a schema
    ``<word>``          a name without a schema
    ``<string>``        a string constant in any form
    ``<number>``        a number; ``<junk>``: a number or parameter that a name follows directly;
                        ``<huge>``: a parameter whose number exceeds the range of integer
    ``<any>``           one token
    ``<group>``         parentheses with their contents
    ``<partitioned>``   a partitioned table of the application; ``<parent>``: a table with inheriting tables;
                        ``<sequence>``, ``<view>``, ``<table>``, ``<foreign>``, ``<function>``: such an object
                        of the application
    ``<column:A|B>``    a column of type A or B in the application; ``<own-type>``: its own type or row type;
                        ``<having:A|B>``: a relation of the application with such a column
    ``<overloaded>``    a function of the application with several argument lists; ``<column-function>``: one
                        that takes a row type with a column of the same name; ``<path-function>``: one that
                        relies on search_path; ``<null-index>``: an index with NULLS NOT DISTINCT
    ``<builtin:A|B>``   PostgreSQL's function A or B; ``<operator:!!>``: PostgreSQL's operator ``!!``
    ``<not-after:A|.>`` no token; the preceding token must be none of these
    ``<session-role>``  a role that the application switches to; ``<cursor>``: a bound cursor of its PL/pgSQL
    ``<x>``             a constant or name that ``x`` in ``tokens`` describes; ``<string:x>``: a string constant
    ``!A``              no token; the next token must not be ``A``
    ``^``, ``$``        the beginning and the end of the statement
    ``{A}``             the trigger, whose line is reported; by default the first token
    ==================  ============================================================================

    >>> pattern = Sql("CREATE [ OR REPLACE ] RULE ... AS ON {SELECT} TO <name>")

    Parameters:
        pattern: the pattern.
        tokens: for each ``<x>`` of the pattern, a regular expression that must match the whole token: the value of
            a string, a name, or a number. Case does not matter. An expression that begins with a double quote
            matches the text of a quoted name.
        also: a second pattern that the statement must match.
        unless: a pattern that the statement must not match.
        extension: an extension that the application must use.
        present: a pattern that some statement of the application must match.
        absent: a pattern, or several, that no statement of the application may match.
        first: whether to report only the first place.
        may: see this module.
    """

    pattern: str
    tokens: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    also: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    extension: str | None = field(default=None, kw_only=True)
    present: str | None = field(default=None, kw_only=True)
    absent: str | tuple[str, ...] = field(default=(), kw_only=True)
    first: bool = field(default=False, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Call:
    """A call of one of PostgreSQL's functions, or a signature in GRANT and similar commands.

    A call of the application's own function with that name and number of arguments is no evidence.

    Parameters:
        names: the functions.
        args: the number of arguments in the call, or a range such as ``"2..3"``.
        where: by the number of an argument, counted from 1, a regular expression that must match its whole text:
            words in lower case, one space between tokens, constants in plain quotes.
        extension: the extension that provides the function, in any schema.
        own: whether to look for the application's own functions instead, in calls without schema and quotes. Their
            definitions count, too.
        also: a pattern as in :class:`Sql` that the statement must match.
        unless: a pattern as in :class:`Sql` that the statement must not match.
        may: see this module.
    """

    names: tuple[str, ...]
    args: int | str | None
    where: Mapping[int, str]
    extension: str | None
    own: bool
    also: str | None
    unless: str | None
    may: str | None

    def __init__(
        self,
        *names: str,
        args: int | str | None = None,
        where: Mapping[int, str] = NO_ARGUMENTS,
        extension: str | None = None,
        own: bool = False,
        also: str | None = None,
        unless: str | None = None,
        may: str | None = None,
    ) -> None:
        _set(
            self,
            names=names,
            args=args,
            where=where,
            extension=extension,
            own=own,
            also=also,
            unless=unless,
            may=may,
        )


@dataclass(frozen=True)
class Column:
    """A column of a system catalog or view.

    Parameters:
        relation: the name of the catalog or view, with its schema unless that is ``pg_catalog``, such as
            ``information_schema.tables``. ``<sequence>`` means any sequence of the application.
        names: the columns; ``*`` for ``SELECT *``.
        value: a regular expression. It must match the whole constant that the column is compared with, or a
            constant in the list after IN.
        extension: the extension that provides the relation, in any schema.
        may: see this module.
    """

    relation: str
    names: tuple[str, ...]
    value: str | None
    extension: str | None
    may: str | None

    def __init__(
        self,
        relation: str,
        *names: str,
        value: str | None = None,
        extension: str | None = None,
        may: str | None = None,
    ) -> None:
        _set(self, relation=relation, names=names, value=value, extension=extension, may=may)


@dataclass(frozen=True)
class Relation:
    """A system catalog or view that a statement reads.

    Parameters:
        names: the relations, each with its schema unless that is ``pg_catalog``.
        extension: the extension that provides them, in any schema.
        also: a pattern as in :class:`Sql` that the statement must match.
        unless: a pattern as in :class:`Sql` that the statement must not match.
        may: see this module.
    """

    names: tuple[str, ...]
    extension: str | None
    also: str | None
    unless: str | None
    may: str | None

    def __init__(
        self,
        *names: str,
        extension: str | None = None,
        also: str | None = None,
        unless: str | None = None,
        may: str | None = None,
    ) -> None:
        _set(self, names=names, extension=extension, also=also, unless=unless, may=may)


@dataclass(frozen=True)
class Body:
    """A regular expression to search for in the body of a PL/pgSQL function.

    Spaces replace comments and constants in the body before the search.

    Parameters:
        pattern: the expression. If it has a group ``trigger``, that group is the trigger.
        event: the function must run in a trigger for this event: ``insert``, ``update`` or ``delete``.
        unless: an expression that must not occur in the body.
        may: see this module.
    """

    pattern: str
    event: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class TypeName:
    """One of PostgreSQL's types as the type of a column, an argument, a variable or a cast."""

    names: tuple[str, ...]
    may: str | None

    def __init__(self, *names: str, may: str | None = None) -> None:
        _set(self, names=names, may=may)


@dataclass(frozen=True)
class Operator:
    """An operator with an operand of some type, as shown by a cast, a typed constant, a constructor, or a column of
    the loaded schema.

    Parameters:
        names: the operators.
        types: the types. One operand must have one of them.
        left: whether this may be the left operand.
        right: whether this may be the right operand.
        other: the types that the other operand may have; empty for any.
        may: see this module.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    left: bool
    right: bool
    other: tuple[str, ...]
    may: str | None

    def __init__(
        self,
        *names: str,
        types: tuple[str, ...],
        left: bool = True,
        right: bool = True,
        other: tuple[str, ...] = (),
        may: str | None = None,
    ) -> None:
        _set(self, names=names, types=types, left=left, right=right, other=other, may=may)


@dataclass(frozen=True)
class SettingUsed:
    """A setting that the application sets or reads.

    Parameters:
        names: the settings.
        like: instead of names, a regular expression that must match the whole name.
        value: a regular expression that must match the whole value. None if any use is evidence, including reading
            it (SHOW, current_setting(), pg_settings).
        file: whether only postgresql.conf and ALTER SYSTEM count.
        beside: other settings, of which at least one must be set to a non-empty value.
        scripts: whether ``name=value`` in the text of a script counts.
        may: see this module.
    """

    names: tuple[str, ...]
    like: str | None
    value: str | None
    file: bool
    beside: tuple[str, ...]
    scripts: bool
    may: str | None

    def __init__(
        self,
        *names: str,
        like: str | None = None,
        value: str | None = None,
        file: bool = False,
        beside: tuple[str, ...] = (),
        scripts: bool = True,
        may: str | None = None,
    ) -> None:
        _set(self, names=names, like=like, value=value, file=file, beside=beside, scripts=scripts, may=may)


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
        type: a regular expression for the connection type. Like the following ones, it must match the whole field.
        database: a regular expression for one of the databases, which must not be quoted.
        method: a regular expression for the authentication method.
        option: a regular expression for one of the options, as ``name=value``.
        may: see this module.
    """

    type: str | None = field(default=None, kw_only=True)
    database: str | None = field(default=None, kw_only=True)
    user: str | None = field(default=None, kw_only=True)
    method: str | None = field(default=None, kw_only=True)
    option: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Identity:
    """A line of pg_ident.conf. Each parameter is a regular expression for a field."""

    system: str | None = field(default=None, kw_only=True)
    database_user: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class ProgramCall:
    """A call of a program in a script.

    Parameters:
        names: the programs.
        option: options of which the call must have at least one: ``-x``, ``--xlogdir``, or ``--format=p`` with a
            value.
        also: further options of which the call must have at least one.
        unless: options of which the call must have none.
        word: a regular expression that must match some other word of the call as a whole.
        may: see this module.
    """

    names: tuple[str, ...]
    option: tuple[str, ...]
    also: tuple[str, ...]
    unless: tuple[str, ...]
    word: str | None
    may: str | None

    def __init__(
        self,
        *names: str,
        option: str | tuple[str, ...] = (),
        also: str | tuple[str, ...] = (),
        unless: str | tuple[str, ...] = (),
        word: str | None = None,
        may: str | None = None,
    ) -> None:
        one, other, none = (_tuple(options) for options in (option, also, unless))
        _set(self, names=names, option=one, also=other, unless=none, word=word, may=may)


@dataclass(frozen=True)
class ScriptText:
    """Text in a script outside of comments, such as a directory or a part of a connection string.

    Parameters:
        pattern: a regular expression to search for in each line.
        settings: whether to search also in values of settings and in string constants of statements.
        may: see this module.
    """

    pattern: str
    settings: bool = field(default=False, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class CatalogQuery:
    """A query on the catalogs of the old server, after the application's schema is loaded.

    Parameters:
        query: the query, which must run on all older majors. The first column names an object, such as
            ``index public.orders_code``. The other columns are words to locate it in the schema files: its place
            is the first statement with the first word and one of the others.
        may: see this module.
    """

    query: str
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefusedWith:
    """A statement that only the new server rejects, as another stage found.

    Parameters:
        sqlstate: the error code.
        message: a regular expression to search for in the message.
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


Evidence = (
    Sql
    | Call
    | Column
    | Relation
    | TypeName
    | Body
    | Operator
    | SettingUsed
    | Default
    | AccessRule
    | Identity
    | ProgramCall
    | ScriptText
    | CatalogQuery
    | RefusedWith
    | Unseen
)
"""Any kind of evidence."""


def _tuple(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


def _set(instance: object, **fields: object) -> None:
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
