"""Search for evidence in statements: nodes of their trees, calls, columns, constants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from psycopg.sql import Identifier

from pytest_pgfeatures.affects import Call, Column, Constant, EvidenceKind, ParseNode, SettingUsed
from pytest_pgfeatures.readiness.evidence.subjects import LONGER, LONGEST_VALUE, compiled, matches
from pytest_pgfeatures.readiness.names import Names
from pytest_pgfeatures.readiness.servers.analyzed import NO_NAMES, Signature
from pytest_pgfeatures.readiness.statements.context import StatementContext
from pytest_pgfeatures.readiness.statements.embedded import FILLED_IN
from pytest_pgfeatures.readiness.statements.grammar import Noted, short, text_of
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.readiness.statements.trees import Called, ColumnNamed, RelationNamed, Tree

_WORD = re.compile(r"\w+")
_KIND = re.compile(r"<([a-z-]++):?([^>]*)>")
"""A kind of objects that evidence names: the application's own; with types after a colon, those of PostgreSQL."""
_SEQUENCE = "<sequence>"
_IF_CALLED = "where a call does not write its schema"
_IF_OWN = "if the application has such a function"
_IF_EXPECTED = "if a row of pg_settings is expected for it"
_TOO_DEEP = "it is nested too deeply for its names to be read: text patterns alone were looked for"


def not_read(context: StatementContext) -> Iterator[tuple[int, str]]:
    """The parts of a statement that are not read, and why. Bodies are strings, too, but have no type."""
    yield from [(0, _TOO_DEEP)] if context.is_too_deep else ()
    long = (at for at, text in context.strings.items() if len(text) > LONGEST_VALUE)
    places = {at for at in long if context.type_of_constant(at)} | context.too_long
    yield from (
        (context.excerpt_index(at), f"{LONGER.format(LONGEST_VALUE)} a value") for at in sorted(places)
    )


def of_node(kind: ParseNode, context: StatementContext) -> Iterator[int]:
    """The tokens of a statement that match the evidence."""
    own, at = context.own, context.positions.get(kind.at or "")
    if (
        kind.extension not in (None, *own.named["extension"])
        or (kind.as_role and not context.as_role)
        or (kind.beside and not any(True for _ in of_node(kind.beside, context)))
        or (kind.unless and any(True for _ in of_node(kind.unless, context)))
    ):
        return
    for noted in (noted for name in kind.names for noted in context.named.get(name, ())):
        if _is_at_its_place(kind, noted, context) and not _found(kind.lacks, noted, own):
            found = _found(kind.fields, noted, own)
            if found.keys() == kind.fields.keys():
                yield at[0] if at else _place(noted, found, context)


def _is_at_its_place(kind: ParseNode, noted: Noted, context: StatementContext) -> bool:
    """Whether the nodes around a node are as the evidence's."""
    if kind.outside:
        results = context.analyzed.results, context.anew.results
        is_absorbed = context.is_absorbed(context.excerpt_index(context.at(noted.node)), *results)
        if is_absorbed or (noted.around and noted.around.name in kind.outside):
            return False
    names = (each.name for each in noted.outward())
    holding = next((each for each in names if each in kind.within or each.endswith("Stmt")), None)
    return not kind.within or holding in kind.within


def _found(wanted: Mapping[str, str], noted: Noted, own: Names) -> dict[str, str]:
    """By field of a node: what its text has of what a declaration describes."""
    found = {}
    for field, regex in wanted.items():
        text = noted.text(field)
        if kind := _KIND.fullmatch(regex):
            named = {*kind[2].split("|")} - own.named["own-type"] if kind[2] else own.named[kind[1]]
            texts = [word for word in text.split() if word in named]
        else:
            texts = [match[0] for match in compiled(regex).finditer(text)]
        if texts:
            found[field] = texts[0]
    return found


def _place(noted: Noted, found: Mapping[str, str], tree: Tree) -> int:
    """The token of what was found last, or of the node, or of a word that was found."""
    located = [place for name, text in found.items() for place in _places(noted.node.get(name), text)][-1:]
    while not located and noted.around and not noted.name.endswith("Stmt"):
        located = _places(noted.node, "")
        noted = noted.around
    if located:
        return tree.at(located[0])
    words = (word for text in found.values() for word in (*_WORD.findall(text), *_WORD.findall(text.lower())))
    return next((tree.positions[word][0] for word in words if word in tree.positions), 0)


def _places(value: object, text: str) -> list[dict[str, Any]]:
    """The nodes with a place in a field, none within another; of a list, of the last one with a word."""
    if isinstance(value, list):
        words = _WORD.findall(text)
        having = [each for each in value if not words or words[-1] in text_of(each)]
        return _places(having[-1], text) if having else []
    if not isinstance(value, dict):
        return []
    if value.get("location", -1) >= 0:
        return [value]
    return [place for each in value.values() for place in _places(each, text)]


def of_call(kind: Call, context: StatementContext) -> Iterator[int]:
    """The calls in a statement that match the evidence."""
    low, _, high = str("" if kind.args is None else kind.args).partition("..")
    counts = range(int(low or 0), int(high or low or 10_000) + 1)
    for call in (call for name in kind.names for call in context.calls.get(name, ())):
        if len(call.arguments) in counts and _fits(kind, context, call) and _takes(kind, context, call):
            yield call.at
    for at, types in context.defined.items() if kind.own else ():
        name = context.name(at) or ""
        if name in kind.names and _is_plain(context, at) and _is_hidden(kind, context, name, types):
            yield at


def condition_of(kind: EvidenceKind, context: StatementContext, at: int) -> str:
    """The condition on which a place that matches the evidence shows the change; empty if it does: the function is
    the application's, where nothing shows that, as in a refused literal; or a row of pg_settings is expected."""
    if isinstance(kind, SettingUsed):
        return _IF_EXPECTED if any(each.in_view for each in context.settings if each.at == at) else ""
    if isinstance(kind, Call) and kind.own and at in context.defined:
        return _IF_CALLED
    if not (isinstance(kind, Call) and kind.own) or context.chosen(at)[0]:
        return ""
    name, own = context.name(at) or context.keyword(at), context.own
    is_resolved = context.analyzed != NO_NAMES or context.query.kind != "source code"
    return "" if is_resolved and (name in own.functions or name in own.named["operator"]) else _IF_OWN


def token_of(kind: EvidenceKind, context: StatementContext, at: int) -> int:
    """The token to show for one that matches: of a call that is evidence by an argument, the constant in that."""
    if not isinstance(kind, Call) or not kind.where:
        return at
    calls = (call for name in kind.names for call in context.calls.get(name, ()) if call.at == at)
    given = [call.arguments[number - 1] for call in calls for number in kind.where]
    bare = (each.get("TypeCast", {}).get("arg", each) for each in given)
    return next((place for each in bare for place in context.constants(each)), at)


def _fits(kind: Call, context: StatementContext, call: Called) -> bool:
    """Whether the function is one of the evidence's."""
    if kind.own and not _is_plain(context, call.at):
        return False
    if call.casts:
        return not kind.own and bool(kind.where or kind.types)
    before, after = context.chosen(call.at)
    if before:
        if not kind.own:
            return not before.is_own and before.has_schema == (kind.extension is not None)
        return before.is_own and not (after and after.has_schema) and _hides(kind, after)
    names = context.own
    is_function = names.has_function(call.name, len(call.arguments), call.schema)
    own = is_function or call.name in names.named["operator"]
    if kind.own and own and call.name in names.arguments:
        types = tuple(context.type_of(each) or "" for each in call.arguments)
        return _is_hidden(kind, context, call.name, types)
    if kind.own:
        return own or not (kind.types or call.name == "json")
    if kind.extension is None:
        return call.schema == "pg_catalog" or (call.schema is None and not own)
    known = call.name.isidentifier() or kind.types or kind.extension in names.named["extension"]
    return bool(known) and (call.schema == "pg_catalog" or not own)


def _is_hidden(kind: Call, context: StatementContext, name: str, types: tuple[str, ...] | None) -> bool:
    """Whether a function of the evidence's hides the application's in a call with the same types on the new server,
    and not yet on the old one, if they can be asked. One that the old one can't find is called with its schema."""
    known, query = context.own.arguments.get(name, set()), context.query
    same = [each for each in known if tuple(map(short, each)) == types]
    schemas = (Identifier(schema or "public").as_string() for schema, *_ in context.own.functions[name])
    settings = (("search_path", ", ".join(schemas)),)
    given = (", ".join(f"NULL::{one}" for one in each) for each in same or known)
    calls = [replace(query, sql=f"SELECT {name}({each})", variables=(), settings=settings) for each in given]
    old, new = ([chosen for each in calls for chosen in ask(each).calls.values()] for ask in context.servers)
    is_found = any(each.has_schema for each in old) if old else query.kind != "schema"
    return not new or (any(not each.has_schema and _hides(kind, each) for each in new) and is_found)


def _hides(kind: Call, chosen: Signature | None) -> bool:
    """Whether the function that the new server chose has the types of the evidence's; if unknown, it may."""
    if isinstance(kind.types, tuple) or chosen is None:
        return True
    types = _argument_types(chosen)
    return all(types.get(number) in some for number, some in kind.types.items())


def _takes(kind: Call, context: StatementContext, call: Called) -> bool:
    """Whether the arguments are as the evidence's."""
    given = dict(enumerate(call.arguments, start=1))
    wanted = kind.where.items()
    if not all(at in given and _matches(regex, given[at], context, call.at) for at, regex in wanted):
        return False
    if kind.own or not kind.types:
        return True
    chosen = _argument_types(context.chosen(call.at)[0])
    types = {
        number: {context.type_of(node), chosen.get(number)} - {None} or {None}
        for number, node in given.items()
    }
    if isinstance(kind.types, tuple):
        return any(not found.isdisjoint(kind.types) for found in types.values())
    return all(not types.get(number, set()).isdisjoint(some) for number, some in kind.types.items())


def _argument_types(chosen: Signature | None) -> dict[int, str]:
    """By number: the types of the arguments, without schemas."""
    types = enumerate(chosen.types if chosen else (), start=1)
    return {number: short(each.rpartition(".")[2]) for number, each in types}


def _is_plain(reading: StatementReading, at: int) -> bool:
    """Whether a name is without schema and quotes."""
    return reading.tokens[at].kind == "word" and reading.keyword(at - 1) != "."


def _matches(regex: str, argument: Mapping[str, Any], context: StatementContext, at: int) -> bool:
    """Whether a pattern matches an argument, or the constant that it casts, as in dumps; notes one too long."""
    inner = argument.get("TypeCast", {}).get("arg", {})
    texts = [*map(text_of, (argument, inner if "A_Const" in inner else argument))]
    context.too_long |= {at} if len(texts[1]) > LONGEST_VALUE else set()
    return at not in context.too_long and matches(regex, *texts)


def of_column(kind: Column, context: StatementContext) -> Iterator[int]:
    """The columns in a statement that match the evidence, or the values that they are compared with."""
    relation = kind.relation.rpartition(".")[2]
    if relation != _SEQUENCE and relation not in context.positions:
        return
    for at, column in context.columns.items():
        is_excluded = kind.unless and compiled(kind.unless).search(text_of(column.queries[0].node))
        if column.name in kind.names and not is_excluded and _is_one(kind, context, at, column):
            if kind.value is None:
                yield at
            else:
                compared = context.compared_with(column)
                compared = (each for each in compared if len(each[1]) <= LONGEST_VALUE)
                yield from (place for place, text in compared if matches(kind.value, text))


def _is_ours(kind: Column, context: StatementContext, used: RelationNamed) -> bool:
    """Whether a relation in a query is the evidence's, by its name."""
    own = context.own
    if kind.relation == _SEQUENCE:
        if used.name in own.relations:
            return used.name in own.named["sequence"]
        types = (own.column_type(one, own.relations) for one in kind.names)
        return (used.name == FILLED_IN and not any(types)) or (used.name or "").endswith("_seq")
    schema, _, name = kind.relation.rpartition(".")
    if used.name != name or context.is_common(used.name):
        return False
    if kind.extension is not None:
        return not own.has_relation(used.name, used.schema)
    return (used.schema or "pg_catalog") == (schema or "pg_catalog")


def _is_one(kind: Column, context: StatementContext, at: int, column: ColumnNamed) -> bool:
    """Whether a column is the relation's, as the server resolved it, or by its qualifier or query's relations."""
    resolved, _ = context.analyzed.columns.get(context.begin(at), (None, ""))
    if resolved is not None and column.name != "*":
        schema, _, name = resolved.rpartition(".")
        return _is_ours(kind, context, RelationNamed(schema or None, name, None, None))
    around = column.queries[0].around
    if column.name == "*" and around and around.node.get("subLinkType") == "EXISTS_SUBLINK":
        return False  # the output is not used
    reached = context.reached(column)
    ours = [used for used in reached if _is_ours(kind, context, used)]
    others = [used.name for used in reached if used not in ours and used.name is not None]
    if column.qualifier is None and context.own.column_type(column.name, others):
        return False
    if ours or kind.value is None:
        return bool(ours)
    # one that is compared with a constant may come from a query in WITH or FROM that reads the evidence's column
    near = (used.name for used in context.relations if used.query == column.queries[0])
    is_derived = all(name is None or context.is_common(name) for name in near)
    return is_derived and any(_is_ours(kind, context, used) for used in context.relations)


def of_constant(kind: Constant, context: StatementContext) -> Iterator[int]:
    """The constants in a statement that match the evidence."""
    is_known = kind.setting in {None, *(name.lower() for name, _ in context.query.settings)}
    for at, text in context.strings.items():
        is_text = len(text) <= LONGEST_VALUE and matches(kind.text, text)
        if is_text and (not kind.types or context.type_of_constant(at) in kind.types):
            both = (context.analyzed, context.anew) if is_known else ()
            values = {each.values.get(context.excerpt_index(at)) for each in both} or {None}
            if not kind.value or (None in values if kind.may else len(values - {None}) > 1):
                yield at
