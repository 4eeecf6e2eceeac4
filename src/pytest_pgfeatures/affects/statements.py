"""Evidence in statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects.fields import set_fields

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
                        ``<foreign>``: a foreign table
    ``<column:A|B>``    a column of type A or B in the application; ``<own-type>``: its own type or row type
    ``<path-function>`` a function of the application that relies on search_path; ``<temporary>``: a temporary
                        table
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
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
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
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
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
        set_fields(
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
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
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
        set_fields(self, relation=relation, names=names, value=value, extension=extension, may=may)


@dataclass(frozen=True)
class Relation:
    """A system catalog or view that a statement reads.

    Parameters:
        names: the relations, each with its schema unless that is ``pg_catalog``.
        extension: the extension that provides them, in any schema.
        also: a pattern as in :class:`Sql` that the statement must match.
        unless: a pattern as in :class:`Sql` that the statement must not match.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
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
        set_fields(self, names=names, extension=extension, also=also, unless=unless, may=may)


@dataclass(frozen=True)
class Body:
    """A regular expression to search for in the body of a PL/pgSQL function.

    Spaces replace comments and constants in the body before the search.

    Parameters:
        pattern: the expression. If it has a group ``trigger``, that group is the trigger.
        event: the function must run in a trigger for this event: ``insert``, ``update`` or ``delete``.
        unless: an expression that must not occur in the body.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
    """

    pattern: str
    event: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class TypeName:
    """One of PostgreSQL's types as the type of a column, an argument, a variable or a cast.

    Parameters:
        names: the types; ``"char"`` with its quotes. ``<sequence>`` means any sequence of the application.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
    """

    names: tuple[str, ...]
    may: str | None

    def __init__(self, *names: str, may: str | None = None) -> None:
        set_fields(self, names=names, may=may)


@dataclass(frozen=True)
class Constant:
    """A string constant that gets one of some types: as the old server resolved it; in statements that it doesn't
    read, by a cast, a default, an operand beside it, or the column that it is a value of.

    Parameters:
        types: the types.
        text: a regular expression that must match the whole constant. Case does not matter.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
    """

    types: tuple[str, ...]
    text: str
    may: str | None

    def __init__(self, *types: str, text: str, may: str | None = None) -> None:
        set_fields(self, types=types, text=text, may=may)


@dataclass(frozen=True)
class Cast:
    """An expression that is converted: by a cast, or as an argument of a function.

    Parameters:
        to: the types to which it is cast, and the functions.
        of: the types of the expression; for a call, the function's name.
        also: a pattern as in :class:`Sql` that the statement must match.
        tokens: see :class:`Sql`.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
    """

    to: tuple[str, ...]
    of: tuple[str, ...]
    also: str | None
    tokens: Mapping[str, str]
    may: str | None

    def __init__(
        self,
        *to: str,
        of: tuple[str, ...],
        also: str | None = None,
        tokens: Mapping[str, str] = MappingProxyType({}),
        may: str | None = None,
    ) -> None:
        set_fields(self, to=to, of=of, also=also, tokens=tokens, may=may)


@dataclass(frozen=True)
class Operator:
    """An operator with an operand of some type, as the old server resolved it; in statements that it doesn't read,
    as shown by a cast, a typed constant, a constructor, or a column of the schema.

    Parameters:
        names: the operators.
        types: the types. One operand must have one of them.
        left: whether this may be the left operand.
        right: whether this may be the right operand.
        other: the types that the other operand may have; empty for any.
        may: see :mod:`pytest_pgfeatures.affects.kinds`.
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
        set_fields(self, names=names, types=types, left=left, right=right, other=other, may=may)
