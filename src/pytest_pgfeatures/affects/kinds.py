"""The kinds of evidence that a behavior affects an application.

What all kinds share: ``may`` is None where the evidence is certain; else it says why a person has to look.
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
    """A pattern over a statement's tokens, as the manual's synopses are written.

    ==================  ============================================================================
    ``WORD``            a keyword, in any case; ``A|B`` is one of several
    ``name``            a name, which may be quoted
    ``( , = ::``        punctuation or an operator
    ``[ A B ]``         optional
    ``...``             any tokens; what is in parentheses is skipped as a whole, and a ``)`` ends it;
                        ``...!A|B`` ends at A or B, too
    ``***``             any tokens to the statement's end
    ``<name>``          a name, quoted or not, with its schema or not
    ``<word>``          a name without a schema
    ``<string>``        a constant in quotes of any sort
    ``<number>``        a number; ``<junk>``: a number or parameter that a name follows directly;
                        ``<huge>``: a parameter whose number is beyond integer
    ``<any>``           one token
    ``<group>``         parentheses and what they contain
    ``<partitioned>``   an own partitioned table; ``<parent>``: one from which others inherit; ``<sequence>``,
                        ``<view>``, ``<table>``, ``<foreign>``, ``<function>``: what the application calls so
    ``<column:A|B>``    an own column of type A or B; ``<own-type>``: an own type or row type
    ``<overloaded>``    an own function that there is with several lists of arguments; ``<column-function>``: one
                        of a row type that has a column of its name; ``<path-function>``: one that relies on
                        search_path; ``<null-index>``: an index with NULLS NOT DISTINCT
    ``<builtin:A|B>``   one of PostgreSQL's functions A and B; ``<operator:!!>``: an operator, not an own one
    ``<not-after:A|.>`` nothing: the token before is none of these
    ``<x>``             a constant or name that ``x`` in ``tokens`` describes; ``<string:x>``: a constant in quotes
    ``!A``              the next token is not ``A``
    ``^``, ``$``        the statement's beginning and end
    ``{A}``             the trigger, whose line is reported; by default the first token
    ==================  ============================================================================

    >>> pattern = Sql("CREATE [ OR REPLACE ] RULE ... AS ON {SELECT} TO <name>")

    Parameters:
        pattern: the pattern.
        tokens: for each ``<x>`` of the pattern, a regular expression that the whole token matches: a string's
            value, a name, or a number. Upper and lower case are one. One that begins with a double quote is for
            the text of a quoted name.
        also: a pattern that the statement must match, too.
        unless: a pattern that it must not match.
        extension: an extension that the application must have.
        present, absent: a pattern that some statement of the application must match, or none.
        first: whether only the first place counts.
        may: see this module.
    """

    pattern: str
    tokens: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    also: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    extension: str | None = field(default=None, kw_only=True)
    present: str | None = field(default=None, kw_only=True)
    absent: str | None = field(default=None, kw_only=True)
    first: bool = field(default=False, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Call:
    """A call of one of PostgreSQL's functions, or a signature in GRANT and similar commands.

    A function of the application's own with that name and number of arguments is no evidence.

    Parameters:
        names: the functions.
        args: how many arguments it is called with: a number, or a range such as ``"2..3"``.
        where: by an argument's number, counted from 1, a regular expression that matches its whole text: words in
            lower case, one blank between tokens, constants in plain quotes.
        extension: the extension that has it, whose schema may be any.
        own: whether the application's own function is meant, which has no schema there and is not quoted; its
            definition counts, too.
        also, unless: patterns of :class:`Sql` that the statement must match, or must not.
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
        relation: its name; with a schema if that is not ``pg_catalog``: ``information_schema.tables``. For
            ``<sequence>`` it is a sequence of the application's.
        names: the columns; ``*`` for a star that stands for all of them.
        value: a regular expression; a constant that the column is compared with, or one of the list after IN,
            must match it as a whole.
        extension: the extension that has the relation, whose schema may be any.
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
        names: the relations, each with its schema if that is not ``pg_catalog``.
        extension: the extension that has them, whose schema may be any.
        also, unless: patterns of :class:`Sql` that the statement must match, or must not.
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
    """A regular expression that is searched in a PL/pgSQL function's body, where comments and constants are blanks.

    Parameters:
        pattern: the expression; its group ``trigger`` is the trigger, if it has one.
        event: the event of a trigger that must run the function: ``insert``, ``update``, ``delete``.
        unless: an expression that is not found in it.
        may: see this module.
    """

    pattern: str
    event: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class TypeName:
    """One of PostgreSQL's types, where a type is named: of a column, an argument, a variable, a cast."""

    names: tuple[str, ...]
    may: str | None

    def __init__(self, *names: str, may: str | None = None) -> None:
        _set(self, names=names, may=may)


@dataclass(frozen=True)
class Operator:
    """An operator between two operands, one of which is of some type: by a cast, a typed constant, a constructor,
    or a column of the loaded schema.

    Parameters:
        names: the operators.
        types: the types, of which an operand must have one.
        left, right: whether the left, and the right operand may show the type.
        other: types of which the other operand must have one; none if it may have any.
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
    """A setting that the application gives a value, or asks for.

    Parameters:
        names: the settings.
        like: in place of names, a regular expression that the whole name matches.
        value: a regular expression that the whole value matches; None if any use is evidence, also one that reads
            it (SHOW, current_setting(), pg_settings).
        file: whether only postgresql.conf and ALTER SYSTEM count.
        beside: settings of which another one must be set, too, to something that is not empty.
        scripts: whether ``name=value`` in a script's text counts.
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
    """A setting that the configuration does not set, so that its default is relied on.

    Parameters:
        name: the setting.
        may: what that may change.
        given: settings of which one must be set for the default to matter; none if it always does.
    """

    name: str
    may: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True)
class AccessRule:
    """A line of pg_hba.conf.

    Parameters:
        type: a regular expression for the connection type; likewise all that follow, each for the whole field.
        database: for one of the databases, which are not quoted.
        method: for the authentication method.
        option: for one of the options, ``name=value``.
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
    """A line of pg_ident.conf: regular expressions for its fields."""

    system: str | None = field(default=None, kw_only=True)
    database_user: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class ProgramCall:
    """A call of a program in a script.

    Parameters:
        names: the programs.
        option: options of which one must be there: ``-x``, ``--xlogdir``; ``--format=p`` for one with a value.
        also: other options of which one must be there.
        unless: options of which none may be there.
        word: a regular expression that some other word of the call matches as a whole.
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
        pattern: a regular expression, which is searched in each line.
        settings: whether values of settings are searched, too, and string constants of statements.
        may: see this module.
    """

    pattern: str
    settings: bool = field(default=False, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class CatalogQuery:
    """A query on the old server's catalogs, with the application's schema.

    Parameters:
        query: each row names an object (``index public.orders_code``) and then words by which it is found in the
            schema's files: in the first statement that has the first word and one of the others. It must run on
            all older majors.
        may: see this module.
    """

    query: str
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class RefusedWith:
    """What another stage saw the new server refuse, and the old one not.

    Parameters:
        sqlstate: the error code.
        message: a regular expression that is searched in the message.
    """

    sqlstate: str
    message: str


@dataclass(frozen=True)
class Unseen:
    """No input can show it.

    Parameters:
        reason: why, and what would.
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
"""One of the kinds."""


def _tuple(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


def _set(instance: object, **fields: object) -> None:
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
