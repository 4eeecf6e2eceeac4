"""Compare the objects that the two servers created from the schema, by their catalogs.

``row_to_json(x) ->> 'column'`` is null where a major has no such column
(https://www.postgresql.org/docs/current/catalogs.html), which is then not compared.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import NamedTuple

from psycopg import Connection
from psycopg.sql import Identifier, quote

from pytest_pgfeatures.readiness.advice import proof_of
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt
from pytest_pgfeatures.readiness.servers.loading import Refusal, undone
from pytest_pgfeatures.readiness.servers.parsing import rows_of
from pytest_pgfeatures.readiness.servers.side import Side
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.places import Shown, definitions_in
from pytest_pgfeatures.readiness.statements.grammar import read
from pytest_pgfeatures.readiness.wording import listed, parts, shortened
from pytest_pgfeatures.server.watchdog import Watchdog

_READS = b"""
    SELECT r.ev_class::regclass::text, array_agg(DISTINCT d.refobjid::regclass::text)
      FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid AND d.classid = 'pg_rewrite'::regclass
     WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class GROUP BY 1
"""
_PATH = "SET search_path = ''"  # names are written with their schemas
_CREATED_AGAIN = {
    "view": ("CREATE TEMPORARY VIEW pgfeatures_respelled AS {definition}",),
    "constraint": ("ALTER TABLE {0} DROP CONSTRAINT {1}", "ALTER TABLE {0} ADD CONSTRAINT {1} {definition}"),
    "index": ("ALTER INDEX {0} RENAME TO pgfeatures_old", "{definition}"),  # a constraint may need it
    "trigger": ("DROP TRIGGER {1} ON {0}", "{definition}"),
    "rule": ("DROP RULE {1} ON {0}", "{definition}"),
}
"""By kind of object: the statements that create it again, with the values of its key, in the server's own form."""
_DEFINED_BY = {
    "table": ("table", "view", "sequence"), "column": ("table", "view"), "index": ("index", "constraint"),
    "constraint": ("table", "domain"), "type": ("domain", "type"),
}  # fmt: skip
"""The kinds of definitions whose place is that of an object of a kind, if they are others."""
_KEYWORDS = re.compile(
    r"\b(?:CURRENT_(?:DATE|TIME(?:STAMP)?|USER|ROLE|CATALOG|SCHEMA)|LOCALTIME(?:STAMP)?|(?:SESSION_)?USER)\b(?:\(\d\))?"
    r"|\('now'::text\)::(?:date|time(?:stamp)?(?:\(\d\))? with(?:out)? time zone)|\bnow\(\)"
    r'|"(?:current_user|session_user|current_schema)"\(\)|\bcurrent_database\(\)'
)
"""Keywords that call functions, and what servers up to 9.6 make of them."""
_QUOTED = re.compile(r'"([a-z_][a-z0-9_]*+)"')  # a name in quotes, which it needs if it is a key word
_WRITTEN = re.compile(
    r'"(?:location|stmt_len|funcformat)": [^,}]+(?:, )?|\{"String": \{"sval": "pg_catalog"\}\}, '
)
_WITH_SCHEMA = re.compile(r"\b\w++\.")
_SHORT = 60
_LONGEST = 400
_MANY = 5  # objects that differ alike become one finding
_NAMED = 3  # other objects that it names


class ObjectQuestion(NamedTuple):
    """A query about the objects of one kind."""

    kind: str
    catalog: str  # lists them, as ``o``
    key: Sequence[str]  # columns that identify an object: its OID or that of its table, as a name; its name
    where: str
    properties: Mapping[str, str | tuple[str, str]]
    """Columns and expressions, by what they are; with a shorter one that shows a difference, too."""
    name: str = "NULL"  # an expression; null if the key is the name

    @property
    def sql(self) -> str:
        """The query: the key, the name, and the values of the properties."""
        key = ", ".join(f"{column}::text" for column in self.key)
        texts = (each if isinstance(each, str) else each[0] for each in self.properties.values())
        form = "row_to_json(o) ->> '{}'", "({})::text"
        values = (form[not each.isidentifier()].format(each) for each in texts)
        columns = f"ARRAY[{key}], {self.name}, ARRAY[{', '.join(values)}]"
        return f"SELECT {columns} FROM {self.catalog} o WHERE {self.where} ORDER BY 1"

    def only(self, properties: Iterable[str], key: Sequence[str]) -> str:
        """The shortest query for some properties of the object with a key."""
        texts = (self.properties[each] for each in properties)
        shortest = (each if isinstance(each, str) else each[1] for each in texts)
        asked = ", ".join(f"o.{each}" if each.isidentifier() else " ".join(each.split()) for each in shortest)
        split = [(each.partition("::"), value) for each, value in zip(self.key, key, strict=True)]
        values = {column: f"{quote(value)}{colons}{type_}" for (column, colons, type_), value in split}
        for column, value in values.items():
            if "o." not in asked.replace(column, ""):
                return f"SELECT {asked.replace(column, value)}"
        where = " AND ".join(f"{column} = {value}" for column, value in values.items())
        return f"SELECT {asked} FROM {self.catalog} o WHERE {where}"


def own(oid: str) -> str:
    """The condition that an object is neither an extension's nor the system's, which has OIDs below 16384:
    https://www.postgresql.org/docs/current/system-catalog-initial-data.html."""
    return f"{oid} >= 16384 AND {oid} NOT IN (SELECT objid FROM pg_depend WHERE deptype = 'e')"


def _granted(acl: str, owner: str) -> tuple[str, str]:
    """The privileges on the object, without the owner's; all of them."""
    text = f"""
        coalesce((SELECT string_agg(CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee) END
                         || ': ' || g.privilege_type, ', ' ORDER BY g.grantee = 0, pg_get_userbyid(g.grantee)::text,
                         g.privilege_type)
                    FROM aclexplode({acl}) g WHERE g.grantee <> {owner}
                     AND (g.grantee = 0 OR pg_get_userbyid(g.grantee) !~ '^pg_')), 'none')"""
    return text, acl


QUESTIONS: tuple[ObjectQuestion, ...] = (
    ObjectQuestion(
        "schema", "pg_namespace", ["o.nspname"], "o.nspname <> 'information_schema'",
        {"privileges": _granted("o.nspacl", "o.nspowner")},
    ),
    ObjectQuestion(
        "table", "pg_class", ["o.oid::regclass"], f"{own('o.oid')} AND o.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')",
        {
            "kind": "relkind", "persistence": "relpersistence", "options": "o.reloptions",
            "row security": "relrowsecurity", "forced row security": "relforcerowsecurity",
            "replica identity": "relreplident", "privileges": _granted("o.relacl", "o.relowner"),
        },
    ),
    ObjectQuestion(
        "view", "pg_class", ["o.oid::regclass"], f"{own('o.oid')} AND o.relkind IN ('v', 'm')",
        {"definition": "pg_get_viewdef(o.oid)"},
    ),
    ObjectQuestion(
        "column", "pg_attribute", ["o.attrelid::regclass", "o.attname"],
        f"""{own("o.attrelid")} AND o.attnum > 0 AND NOT o.attisdropped
        AND (SELECT relkind FROM pg_class WHERE oid = o.attrelid) IN ('r', 'p', 'f', 'v', 'm')""",
        {
            "type": "format_type(o.atttypid, o.atttypmod)", "NOT NULL": "attnotnull",
            "default": """coalesce((SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
                          WHERE d.adrelid = o.attrelid AND d.adnum = o.attnum), 'none')""",
            # from 17 on, partitions have that of their parent
            "identity": """(SELECT CASE row_to_json(o) ->> 'attidentity' WHEN 'a' THEN 'always'
                            WHEN 'd' THEN 'by default' WHEN '' THEN 'none' END FROM pg_class c
                            WHERE c.oid = o.attrelid AND row_to_json(c)->>'relispartition' <> 'true')""",
            "generated": """CASE row_to_json(o) ->> 'attgenerated' WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual'
                            WHEN '' THEN 'none' END""",
            "collation": "coalesce((SELECT collname FROM pg_collation WHERE oid = o.attcollation), 'none')",
            "storage": """(SELECT o.attstorage FROM pg_class c WHERE c.oid = o.attrelid
                           AND c.relkind NOT IN ('v', 'S'))""",
            "compression": "attcompression",
            "statistics target": "coalesce(nullif(row_to_json(o) ->> 'attstattarget', '-1'), 'default')",
            "privileges": _granted("o.attacl", "(SELECT relowner FROM pg_class WHERE oid = o.attrelid)"),
        },
    ),
    *(
        ObjectQuestion(
            "constraint", "pg_constraint", [of, "o.conname"],
            f"{own(of.partition('::')[0])} AND o.contype IN ('c', 'f', 'p', 'u', 'x')",
            {"definition": "pg_get_constraintdef(o.oid)", "valid": "convalidated", "enforced": "conenforced"},
        )
        for of in ("o.conrelid::regclass", "o.contypid::regtype")
    ),
    ObjectQuestion(
        "index", "pg_index", ["o.indexrelid::regclass"], own("o.indrelid"),
        {"definition": "pg_get_indexdef(o.indexrelid)", "valid": "indisvalid"},
    ),
    ObjectQuestion(
        "function", "pg_proc", ["o.oid::regprocedure"], own("o.oid"),
        {
            "result": "pg_get_function_result(o.oid)", "settings": "o.proconfig",
            "volatility": "provolatile", "security definer": "prosecdef", "strict": "proisstrict",
            "parallel": "proparallel",
            "privileges": _granted("o.proacl", "o.proowner"),
        },
        name="o.oid::regproc || '(' || pg_get_function_identity_arguments(o.oid) || ')'",
    ),
    ObjectQuestion(
        "trigger", "pg_trigger", ["o.tgrelid::regclass", "o.tgname"],
        f"{own('o.tgrelid')} AND NOT o.tgisinternal",
        {"definition": "pg_get_triggerdef(o.oid)", "enabled": "tgenabled"},
    ),
    ObjectQuestion(
        "policy", "pg_policy", ["o.polrelid::regclass", "o.polname"], own("o.polrelid"),
        {
            "command": "polcmd", "USING": "pg_get_expr(o.polqual, o.polrelid)",
            "WITH CHECK": "pg_get_expr(o.polwithcheck, o.polrelid)",
        },
    ),
    ObjectQuestion(
        "rule", "pg_rewrite", ["o.ev_class::regclass", "o.rulename"],
        f"{own('o.ev_class')} AND o.rulename <> '_RETURN'", {"definition": "pg_get_ruledef(o.oid)"},
    ),
    ObjectQuestion(
        "type", "pg_type", ["o.oid::regtype"], f"{own('o.oid')} AND o.typtype IN ('d', 'e', 'r')",
        {
            "kind": "typtype", "base": "format_type(nullif(o.typbasetype, 0), o.typtypmod)",
            "NOT NULL": "typnotnull", "default": "typdefault",
            "labels": """(SELECT string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder) FROM pg_enum e
                          WHERE e.enumtypid = o.oid)""",
        },
    ),
    ObjectQuestion(
        "sequence", "pg_sequence", ["o.seqrelid::regclass"], own("o.seqrelid"),
        {
            "type": "format_type(o.seqtypid, NULL)", "start": "seqstart", "increment": "seqincrement",
            "maximum": "seqmax", "minimum": "seqmin", "cycle": "seqcycle",
        },
    ),
    ObjectQuestion(
        "role", "pg_roles", ["o.rolname"], "o.rolname <> current_user",
        {
            "superuser": "rolsuper", "inherit": "rolinherit", "createrole": "rolcreaterole",
            "createdb": "rolcreatedb", "login": "rolcanlogin", "replication": "rolreplication",
            "member of": """(SELECT string_agg(g.rolname, ', ' ORDER BY g.rolname) FROM pg_auth_members m
                             JOIN pg_roles g ON g.oid = m.roleid WHERE m.member = o.oid)""",
        },
    ),
    ObjectQuestion(
        "publication", "pg_publication", ["o.pubname"], "true",
        {
            "all tables": "puballtables",
            "tables": """(SELECT string_agg(t.schemaname || '.' || t.tablename, ', '
                          ORDER BY t.schemaname, t.tablename) FROM pg_publication_tables t
                          WHERE t.pubname = o.pubname)""",
        },
    ),
)  # fmt: skip


class CreatedObject(NamedTuple):
    """An object of a server, with the values of its question's key and properties."""

    kind: str
    name: str
    question: ObjectQuestion
    key: tuple[str, ...]
    properties: Mapping[str, str]  # those that the server knows
    changes: Mapping[str, tuple[str, str]] = MappingProxyType({})
    """The properties that differ, with the values of both servers."""

    @property
    def described(self) -> str:
        """The differing properties in words."""
        return "; ".join(_change(name, *values) for name, values in self.changes.items())

    @property
    def definitions(self) -> list[str]:
        """The definitions whose place is the object's, the first one that a file has."""
        kinds = _DEFINED_BY.get(self.kind, (self.kind,))
        full = self.key[0].partition("(")[0].replace('"', "")
        names = [f"{each} {full}" for each in kinds]
        names += [f"{self.kind} {self.key[-1]}"] if self.kind != "column" else []
        return names + [f"{each} {full.partition('.')[2]}" for each in kinds]


def compare_created(trial: Trial, altered: frozenset[tuple[str, str]]) -> Iterator[Found]:
    """Compare the objects of the servers, except for columns that a statement alters which one of them rejected."""
    old, new = trial.both(_objects)
    yield "objects compared", len(old.keys() & new.keys())
    for kind in sorted({kind for kind, _ in new} - {kind for kind, _ in old}):
        yield NotLookedAt(f"schema: every {kind}", f"{trial.pair.old.major} has none")
    with trial.sides[1].connect() as connection, Watchdog(connection, trial.timeout) as watchdog:
        connection.execute(_PATH)
        differences: list[CreatedObject] = []
        for name, before in old.items():
            after = new.get(name, before)
            table, column = after.key[0].rpartition(".")[2], after.key[-1]
            is_altered = after.kind == "column" and altered & {(table, column), (table, "*")}
            if not is_altered and (changes := _changes(watchdog, before, after)):
                differences.append(after._replace(changes=changes))
        reads: dict[str, list[str]] = dict(connection.execute(_READS).fetchall())
    definitions = definitions_in(sent.query for sent in trial.inputs.loaded)
    causes: defaultdict[int, list[CreatedObject]] = defaultdict(list)
    for at, each in enumerate(differences):
        causes[_cause(at, differences, reads)].append(each)
    yield from _together(_finding(trial, differences[at], some, definitions) for at, some in causes.items())


def _objects(side: Side) -> dict[tuple[str, str], CreatedObject]:
    """The objects for which the server has a catalog, by kind and name."""
    found = {}
    with side.connect() as connection:
        connection.execute(_PATH)
        for each in QUESTIONS:
            for key, name, values in rows_of(connection, each.sql):
                if not key[0].startswith("pg_"):  # the system's, temporary ones, and those of TOAST
                    name = (name or ".".join(key)).replace('"', "")
                    pairs = zip(each.properties, values, strict=True)
                    properties = {property_: value for property_, value in pairs if value is not None}
                    found[each.kind, name] = CreatedObject(each.kind, name, each, tuple(key), properties)
    return found


def _changes(watchdog: Watchdog, old: CreatedObject, new: CreatedObject) -> dict[str, tuple[str, str]]:
    """The properties that differ in more than keywords and a definition's form, as the new server tells."""
    both = ((name, was, new.properties.get(name, was)) for name, was in old.properties.items())
    changes = {name: (was, is_) for name, was, is_ in both if _bare(was) != _bare(is_)}
    if "definition" in changes and _is_spelling(watchdog, new, *changes["definition"]):
        del changes["definition"]
    return changes


def _cause(at: int, differences: Sequence[CreatedObject], reads: Mapping[str, Sequence[str]]) -> int:
    """The difference from which one follows: its view's, or the same one of a column that its view reads."""
    one = differences[at]
    for number, each in enumerate(differences if one.kind == "column" else ()):
        is_read = each.kind == "column" and each.key[0] in reads.get(one.key[0], ())
        if (is_read and each.changes == one.changes) or (each.kind == "view" and each.key[0] == one.key[0]):
            return _cause(number, differences, reads)
    return at


def _finding(
    trial: Trial, first: CreatedObject, some: Sequence[CreatedObject], definitions: Mapping[str, Shown]
) -> Finding:
    """The finding about a difference, and those that follow from it."""
    own = [each for each in some if each is not first and each.key[0] == first.key[0]]
    described = [first.described, *(f"column {each.key[1]}: {each.described}" for each in own)]
    others = [f"{each.kind} {each.name}" for each in some if each.key[0] != first.key[0]]
    alone = {_WITH_SCHEMA.sub("", part) for value in first.changes.values() for part in value}
    path = "SET search_path = ''; " if len(alone) == 1 else ""
    return Finding(
        "schema", "warning", "may affect",
        f"it differs on {trial.pair.new.major}: {'; '.join(described)}{_so(others)}",
        "check whether the application relies on it; set it in the schema to get the same on both versions",
        object=f"{first.kind} {first.name}",
        proof=proof_of(trial, path + first.question.only(first.changes, first.key), trial.inputs.schema),
        **next(filter(None, map(definitions.get, first.definitions)), Shown()),
    )  # fmt: skip


def _together(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings. Of many equal ones about objects of one kind, only the first, which names some others."""
    alike: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        alike[str(finding.object).partition(" ")[0], finding.message].append(finding)
    for some in alike.values():
        if len(some) < _MANY:
            yield from some
            continue
        some.sort(key=lambda each: (each.place is None, each.place))
        names = [str(each.object).partition(" ")[2] for each in some]
        yield replace(some[0], message=some[0].message + _so(names[1:]))


def _so(others: Sequence[str]) -> str:
    """The other objects that differ alike, as the end of a message."""
    return f"; so {'do' if len(others) > 1 else 'does'} {listed(others, _NAMED)}" if others else ""


def _change(property_: str, before: str, after: str) -> str:
    """The two values of a property; of long ones, the words that differ; of lists, the entries."""
    if property_ == "privileges":
        old, new = (set(value.split(", ")) - {"none"} for value in (before, after))
        return f"privileges: {parts('without', sorted(old - new), 'also', sorted(new - old))}"
    was, is_ = (_plain(value).removesuffix(";").split(" ") for value in (before, after))
    whole = ("replace", 0, len(was), 0, len(is_))
    long = len(before) > _SHORT
    ranges = SequenceMatcher(None, was, is_, autojunk=False).get_opcodes() if long else [whole]
    changes = (
        f"{' '.join(was[a:b]) or '-'} -> {' '.join(is_[c:d]) or '-'}"
        for kind, a, b, c, d in ranges
        if kind != "equal"
    )
    return f"{property_}: {shortened(', '.join(changes), _LONGEST)}"


def _is_spelling(watchdog: Watchdog, of: CreatedObject, old: str, new: str) -> bool:
    """Whether two definitions differ only in form: the new server rewrites the old server's one to its own."""
    names = [of.key[0], *(Identifier(name).as_string() for name in of.key[1:])]
    key = ("pg_temp.pgfeatures_respelled",) if of.kind == "view" else of.key

    def respelled(connection: Connection, definition: str) -> str:
        for each in _CREATED_AGAIN[of.kind]:
            connection.execute(each.format(*names, definition=definition.rstrip("; \n")).encode())
        ((text,),) = connection.execute(of.question.only(["definition"], key).encode()).fetchall()
        return _plain(text)

    by_new = undone(watchdog, respelled, old)
    # a server may write what it then reads differently: NULL in UNION gets a type, and so a name
    both = {_plain(new), undone(watchdog, respelled, new)}
    return isinstance(by_new, str) and (by_new in both or _form(by_new) in map(_form, both))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _form(definition: str | Refusal) -> str:
    """A query's tree, whether it calls functions by their names or by SQL's own syntax; other definitions."""
    tree = read(str(definition).rstrip(";"))
    return _WRITTEN.sub("", json.dumps(tree)) if tree else str(definition)


def _bare(text: str) -> str:
    return _QUOTED.sub(r"\1", _KEYWORDS.sub("", text))
