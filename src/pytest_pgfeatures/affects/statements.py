"""Evidence in statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_pgfeatures.affects.fields import set_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_ARGUMENTS: Mapping[int, str] = MappingProxyType({})
NO_FIELDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class ParseNode:
    """A node of a statement's tree, as PostgreSQL's grammar makes it.

    ``nodes/parsenodes.h`` of PostgreSQL 18 names the nodes and their fields. The text of a field is all its words
    and constants, one space between: names without quotes, constants in plain ones, options as names and values,
    other nodes after their own name.

    >>> ParseNode("CopyStmt", is_from="true", options=r"\\bformat csv\\b").fields["is_from"]
    'true'

    Parameters:
        names: the nodes' names; for one that is always the same kind of node, the field that holds it.
        within: names of nodes, of which one must be around it in the same query.
        outside: names of nodes, none of which may be directly around it.
        lacks: by field, a regular expression that must not be found in its text.
        extension: an extension that the application must use.
        beside: another node that the statement must have.
        unless: another node that the statement may not have.
        as_role: whether a SET ROLE or SET SESSION AUTHORIZATION before it in its file must be in effect.
        present: evidence that some statement of the application must show.
        absent: evidence that no statement of the application may show.
        first: whether to report only the first place.
        may: see :mod:`pytest_pgfeatures.affects`.
        at: a word of the statement whose place is reported; by default that of what is found.
        after: the token that must stand before this word.
        fields: by field, a regular expression to find in its text; case does not matter. An underscore ends names
            that Python has itself. ``<partitioned>``: it names a partitioned table of the application;
            ``<parent>``: a table with inheriting tables; ``<foreign>``: a foreign table; ``<temporary>``: a
            temporary table; ``<sequence>``: a sequence; ``<cursor>``: a bound cursor of its PL/pgSQL;
            ``<session-role>``: a role that it switches to; ``<path-function>``: a function that relies on
            search_path; ``<own-type>``: a type or row type; ``<type:A|B>``: PostgreSQL's type A or B;
            ``<column:A|B>``: a column of type A or B.
    """

    names: tuple[str, ...]
    within: tuple[str, ...]
    outside: tuple[str, ...]
    lacks: Mapping[str, str]
    extension: str | None
    beside: ParseNode | None
    unless: ParseNode | None
    as_role: bool
    present: object
    absent: tuple[ParseNode, ...]
    first: bool
    may: str | None
    at: str | None
    after: str | None
    fields: Mapping[str, str]

    def __init__(
        self,
        *names: str,
        within: tuple[str, ...] = (),
        outside: tuple[str, ...] = (),
        lacks: Mapping[str, str] = NO_FIELDS,
        extension: str | None = None,
        beside: ParseNode | None = None,
        unless: ParseNode | None = None,
        as_role: bool = False,
        present: object = None,
        absent: tuple[ParseNode, ...] = (),
        first: bool = False,
        may: str | None = None,
        at: str | None = None,
        after: str | None = None,
        **fields: str,
    ) -> None:
        fields = {name.rstrip("_"): regex for name, regex in fields.items()}
        set_fields(**locals())


@dataclass(frozen=True)
class Call:
    """A call of one of PostgreSQL's functions or operators, or a signature in GRANT and similar commands.

    A call of the application's own function with that name and number of arguments is no evidence. A cast is a call
    of its type's name, if ``where`` or ``types`` says of what.

    Parameters:
        names: the functions and operators. SQL's own syntax calls functions, too: ``extract``, ``substring``,
            ``timezone`` for AT TIME ZONE, ``similar_to_escape`` for SIMILAR TO.
        args: the number of arguments in the call, or a range such as ``"2..3"``.
        where: by the number of an argument, counted from 1, a regular expression that must match its whole text:
            one space between words, constants in plain quotes, no parentheses around it. Case does not matter.
        types: by the number of an argument, the types of which it must have one: of the expression, or as the old
            server resolved the call; for a call, the function's name is one, too. None among them is an unknown
            type. Instead of the mapping: the types of which some argument must have one. A prefix operator's
            operand is its second argument.
        extension: the extension that provides the function, in any schema.
        own: whether to look for the application's own functions instead, in calls without schema and quotes. Their
            definitions count, too. The types are then those of PostgreSQL's function that the new server chooses.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    names: tuple[str, ...]
    args: int | str | None
    where: Mapping[int, str]
    types: Mapping[int, tuple[str | None, ...]] | tuple[str, ...]
    extension: str | None
    own: bool
    may: str | None

    def __init__(
        self,
        *names: str,
        args: int | str | None = None,
        where: Mapping[int, str] = NO_ARGUMENTS,
        types: Mapping[int, tuple[str | None, ...]] | tuple[str, ...] = (),
        extension: str | None = None,
        own: bool = False,
        may: str | None = None,
    ) -> None:
        set_fields(**locals())


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
        may: see :mod:`pytest_pgfeatures.affects`.
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
        set_fields(**locals())


@dataclass(frozen=True)
class Body:
    """A regular expression to search for in the body of a PL/pgSQL function.

    Spaces replace comments and constants in the body before the search.

    Parameters:
        pattern: the expression. If it has a group ``trigger``, that group is the trigger.
        event: the function must run in a trigger for this event: ``insert``, ``update`` or ``delete``.
        unless: an expression that must not occur in the body.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    pattern: str
    event: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)
    may: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Constant:
    """A string constant that gets one of some types: as the old server resolved it; in statements that it doesn't
    read, by a cast, a default, an operand beside it, or the column that it is a value of.

    Parameters:
        types: the types; none for any.
        text: a regular expression that must match the whole constant. Case does not matter.
        value: whether the servers' values of the constant tell: it is evidence if they differ; with ``may``, if
            they are unknown.
        present: evidence that some statement of the application must show.
        may: see :mod:`pytest_pgfeatures.affects`.
    """

    types: tuple[str, ...]
    text: str
    value: bool
    present: object
    may: str | None

    def __init__(
        self, *types: str, text: str, value: bool = False, present: object = None, may: str | None = None
    ) -> None:
        set_fields(**locals())
