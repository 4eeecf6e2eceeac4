"""Values for ``affects=`` of :func:`pytest_pgfeatures.behavior`: how a behavior shows in an application.

>>> from pytest_pgfeatures.affects import Call, Column, ParseNode, SettingUsed
>>> affects = [ParseNode("AccessPriv", within=("GrantStmt",), priv_name="^rule$"), Call("pg_switch_xlog", args=0)]

These are only declarations; :mod:`pytest_pgfeatures.readiness` searches applications for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, kw_only=True)
class EvidenceKind:
    """Any kind of evidence.

    Parameters:
        may: the reason why a person has to check, if it is not certain.
        present, absent: other evidence: the application must show it; it may not.
        first: whether to report only the first place.
    """

    may: str | None = None
    present: EvidenceKind | None = None
    absent: tuple[EvidenceKind, ...] = ()
    first: bool = False


class _Named(EvidenceKind):
    """Evidence whose constructor takes the texts of its first field one by one, and the other fields by name. One
    text stands for a tuple of it."""

    def __init__(self, *names: str, **given: Any) -> None:
        given[fields(self)[len(fields(EvidenceKind))].name] = names
        for each in fields(self):
            default = each.default if each.default_factory is MISSING else each.default_factory()
            value = given.pop(each.name, default)
            if value is MISSING:
                raise TypeError(f"{type(self).__name__} lacks {each.name}")
            is_one = default == () and isinstance(value, str)
            object.__setattr__(self, each.name, (value,) if is_one else value)
        if given:
            raise TypeError(f"{type(self).__name__} takes no {', '.join(given)}")


@dataclass(frozen=True, init=False)
class ParseNode(_Named):
    """A node of a statement's tree, as PostgreSQL's grammar makes it.

    ``nodes/parsenodes.h`` of PostgreSQL 18 names the nodes and their fields. The text of a field is all its words
    and constants, one space between: names without quotes, constants in plain ones, options as names and values,
    other nodes after their own name.

    >>> ParseNode("CopyStmt", is_from="true", options=r"\\bformat csv\\b").fields["is_from"]
    'true'

    Parameters:
        names: the nodes' names; for one that is always the same kind of node, the field that holds it.
        within, outside: nodes of which one must be around it in the same query, and none directly around it; with
            ``outside``, its value may not be one that is only compared or cast, either.
        lacks: by field, a regular expression that must not be found in its text.
        extension: an extension that the application must use.
        beside, unless: another node that the statement must have, and one that it may not have.
        as_role: whether a SET ROLE or SET SESSION AUTHORIZATION before it in its file must be in effect.
        at: a word of the statement whose place is reported; by default that of what is found.
        fields: by field, a regular expression to find in its text; case does not matter. An underscore ends names
            that Python has itself. Instead, what it names in the application: ``<partitioned>``, ``<foreign>`` or
            ``<temporary>`` table; ``<parent>``, a table with inheriting tables; ``<sequence>``; ``<cursor>``, one
            of PL/pgSQL with a query; ``<session-role>``, a role that it switches to; ``<path-function>``, which
            relies on search_path; ``<own-type>``, a type or row type; ``<type:A|B>``, PostgreSQL's type A or B.
    """

    names: tuple[str, ...]
    within: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    lacks: Mapping[str, str] = field(default_factory=dict)
    extension: str | None = None
    beside: ParseNode | None = None
    unless: ParseNode | None = None
    as_role: bool = False
    at: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)

    def __init__(self, *names: str, **given: Any) -> None:
        own = {each.name for each in fields(self)} - {"names", "fields"}
        regexes = {name.rstrip("_"): given.pop(name) for name in [*given] if name not in own}
        super().__init__(*names, fields=regexes, **given)


@dataclass(frozen=True, init=False)
class Call(_Named):
    """A call of one of PostgreSQL's functions or operators, or a signature in GRANT and similar commands.

    A call of the application's own function with that name and number of arguments is no evidence. A cast is a call
    of its type's name, if ``where`` or ``types`` says of what.

    Parameters:
        names: the functions and operators. SQL's own syntax calls functions, too: ``extract``, ``substring``,
            ``timezone`` for AT TIME ZONE, ``similar_to_escape`` for SIMILAR TO.
        args: the number of arguments in the call, or a range such as ``"2..3"``.
        where: by the number of an argument, counted from 1, a regular expression that must match its whole text:
            one space between words, constants in plain quotes, no parentheses around it. Case does not matter.
        types: by the number of an argument, types of which it must have one, as the expression or the old server
            shows; or types of which some argument must have one. For a call, the function's name is one, too; None
            is an unknown one. A prefix operator's operand is its second argument.
        extension: the extension that provides the function, in any schema.
        own: whether to look for the application's own functions instead, in calls without schema and quotes. Their
            definitions count, too. The types are then those of PostgreSQL's function that the new server chooses.
    """

    names: tuple[str, ...]
    args: int | str | None = None
    where: Mapping[int, str] = field(default_factory=dict)
    types: Mapping[int, tuple[str | None, ...]] | tuple[str, ...] = ()
    extension: str | None = None
    own: bool = False


@dataclass(frozen=True, init=False)
class Column(_Named):
    """A column of a system catalog or view.

    Parameters:
        relation: its name, with the schema unless that is ``pg_catalog``; ``<sequence>``: the application's ones.
        names: the columns; ``*`` for ``SELECT *``.
        value: a regular expression for the whole of a constant that the column is compared with, also after IN.
        extension: the extension that provides the relation, in any schema.
        unless: a regular expression that must not be found in the text of its query.
    """

    names: tuple[str, ...]
    relation: str
    value: str | None = None
    extension: str | None = None
    unless: str | None = None

    def __init__(self, relation: str, *names: str, **given: Any) -> None:
        super().__init__(*names, relation=relation, **given)


@dataclass(frozen=True)
class Body(EvidenceKind):
    """Text in the body of a PL/pgSQL function, with spaces in place of comments and constants.

    Parameters:
        pattern: a regular expression to search for. If it has a group ``trigger``, that group is the trigger.
        event: the function must run in a trigger for this event: ``insert``, ``update`` or ``delete``.
        unless: an expression that must not occur in the body.
    """

    pattern: str
    event: str | None = field(default=None, kw_only=True)
    unless: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, init=False)
class Constant(_Named):
    """A string constant that gets one of some types: as the old server resolved it; in statements that it doesn't
    read, by a cast, a default, an operand beside it, or the column that it is a value of.

    Parameters:
        types: the types; none for any.
        text: a regular expression that must match the whole constant. Case does not matter.
        value: whether it is evidence only if the servers' values of it differ; with ``may``, if they are unknown.
        setting: the session's setting on which the values depend. They are unknown unless a statement sets it.
    """

    types: tuple[str, ...]
    text: str
    value: bool = False
    setting: str | None = None


@dataclass(frozen=True, init=False)
class SettingUsed(_Named):
    """A setting that the application sets or reads.

    Parameters:
        names: the settings, or regular expressions, of which one must match the whole name.
        value: a regular expression for the whole value. None if reading it (SHOW, pg_settings) is evidence, too.
        read: whether reading it alone is evidence.
        file: whether only postgresql.conf and ALTER SYSTEM count.
    """

    names: tuple[str, ...]
    value: str | None = None
    read: bool = False
    file: bool = False


@dataclass(frozen=True)
class Default(EvidenceKind):
    """A setting that the configuration does not set, so that the application relies on its default, as the stage
    ``settings`` found.

    Parameters:
        may: what the new default may change.
    """

    name: str
    may: str = field(kw_only=True)


@dataclass(frozen=True, kw_only=True)
class AccessRule(EvidenceKind):
    """A line of pg_hba.conf.

    Parameters:
        database, user: a regular expression for one of the databases, and roles; a quoted one has its quotes.
        method, option: one for the authentication method, and for one of the options, as ``name=value``.
    """

    database: str | None = None
    user: str | None = None
    method: str | None = None
    option: str | None = None


@dataclass(frozen=True, kw_only=True)
class Identity(EvidenceKind):
    """A line of pg_ident.conf: a regular expression for the whole database user; a quoted one has its quotes."""

    database_user: str


@dataclass(frozen=True, init=False)
class ProgramCall(_Named):
    """A call of a program in a script.

    Parameters:
        names: the programs.
        option, unless: options of which the call must have one, and none: ``-x``, ``--xlogdir``, ``--format=p``;
            ``>/dev/null`` for a call without output.
        word: a regular expression that must match some other word of the call as a whole.
    """

    names: tuple[str, ...]
    option: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    word: str | None = None


@dataclass(frozen=True)
class ScriptText(EvidenceKind):
    """Text in a script outside of comments, such as a directory or a part of a connection string.

    Parameters:
        pattern: a regular expression to search for in each line.
        settings: whether to search also in values of settings.
        default: the setting on whose default the text relies: it is no evidence if the configuration sets that.
    """

    pattern: str
    settings: bool = field(default=False, kw_only=True)
    default: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class CatalogQuery(EvidenceKind):
    """A query on the old server's catalogs, with the application's schema loaded, and after each definition in its
    queries.

    Parameters:
        query: the query. A major that lacks a catalog or column of it has no such objects. The first column names
            an object, such as ``index public.orders_code``. The other columns are names in the statement that
            creates it: it is the one of the schema files that has the first name, and most of the others.
        at: words of that statement. The place of the object is its last name behind the first one of these; else
            that word; else its last name.
    """

    query: str
    at: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class RefusedWith(EvidenceKind):
    """A statement that only the new server rejects with an error code, as another stage found.

    Parameters:
        message: a regular expression to search for in the message, or in it and the line of the statement after it.
    """

    sqlstate: str
    message: str


@dataclass(frozen=True, init=False)
class ResultOf(_Named):
    """Other values in a result's column of one of some types, whatever the statement, as another stage found.

    Parameters:
        types: the types, as format_type() writes them.
        text: whether only the text of the values changes.
    """

    types: tuple[str, ...]
    text: bool = False


@dataclass(frozen=True)
class Unseen(EvidenceKind):
    """No input shows whether the behavior affects the application; the reason says how to find out."""

    reason: str
