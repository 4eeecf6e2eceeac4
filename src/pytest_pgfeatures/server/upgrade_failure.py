"""Why pg_upgrade or a restore failed, and the objects that it names: when they are dropped, the next check reaches
its next problem."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.server.maintenance import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

REMEDY = "change what the message names before the upgrade: on the old server, in a migration"
_ERROR = re.compile(r"\bERROR:\s++(?P<said>.*?)(?: at character \d++)?$")
_FATAL = re.compile(r'\bFATAL:\s++(?P<said>(?!the database system is |lock file "postmaster\.pid").*)$')
"""Neither of a connection that came too early, nor of the start by which pg_upgrade checks whether a server
is running."""
_CAUSES = 4
_OBJECTS = 10
_PRINTED = "stdout"
_FILE = re.compile(r"^(?P<name>\S+\.(?:log|txt)):$")
_STEP = re.compile(r"[A-Z][a-z]+ing\b.*|failed check: .*|-{5,}")
"""The lines that pg_upgrade prints for its steps, such as ``Checking cluster versions``."""
_END = "Failure, exiting"
_TYPES = "Data type checks failed:"
"""Since 17, all checks of types fail together (https://www.postgresql.org/docs/release/17.0/)."""
_HALFWAY = ("*failure*", "Consult the last")
_NEXT = re.compile(r"\s(?=Your installation )")
_LISTED = re.compile(
    r"(?:A list of [^.:;]*|[Oo]n each [^.:;]* listed) (?:is )?in the file:?(?: (?P<file>\S+))?"
)
_SENTENCE = re.compile(r"(?<=[^.][.;])\s++(?=[A-Z])")
_ADVICE = re.compile(r"(?:You|Consider|These user-defined|To |Either|Please|Use|Re-?create|Try|If the)\b")
_OID = re.compile(r"^\(oid=(?P<oid>\d+)\) ")
_DATABASE = re.compile(r"^\s*+(?:In d|D)atabase: ")
_LIBRARY = re.compile(r'could not load library "(?P<library>[^"]+)"')
_KIND = re.compile(r"^(?:aggregate|operator): ")
# pg_upgrade writes names without quotes, and those of functions and operators as their types print them:
# https://github.com/postgres/postgres/blob/master/src/bin/pg_upgrade/check.c
_MEANT = """
WITH meant(class, object, part) AS (
    SELECT 'pg_class'::regclass, c.oid, CASE WHEN c.relkind IN ('r', 'p', 'f') THEN a.part ELSE 0 END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace CROSS JOIN LATERAL (
        SELECT 0, '' UNION ALL SELECT attnum, '.' || attname FROM pg_attribute WHERE attrelid = c.oid
    ) a (part, name)
    WHERE n.nspname || '.' || c.relname || a.name = ANY (%(names)s)
    UNION
    SELECT 'pg_proc'::regclass, oid, 0 FROM pg_proc
    WHERE oid::regprocedure::text = ANY (%(names)s) OR oid = ANY (%(oids)s::oid[]) OR probin = ANY (%(libraries)s)
    UNION
    SELECT 'pg_operator'::regclass, oid, 0 FROM pg_operator
    WHERE oid::regoperator::text = ANY (%(names)s) OR oid = ANY (%(oids)s::oid[])
    UNION
    SELECT 'pg_conversion'::regclass, oid, 0 FROM pg_conversion WHERE oid = ANY (%(oids)s::oid[])
    UNION
    SELECT 'pg_language'::regclass, l.oid, 0 FROM pg_language l JOIN pg_proc p ON p.oid = l.lanplcallfoid
    WHERE p.probin = ANY (%(libraries)s)
)
SELECT DISTINCT ON (class, object, part) coalesce(e.type, i.type), coalesce(e.identity, i.identity),
    CASE WHEN e.type IS NULL AND part > 0 THEN quote_ident(a.attname) END
FROM meant
CROSS JOIN LATERAL pg_identify_object(class, object, 0) i
LEFT JOIN pg_attribute a ON class = 'pg_class'::regclass AND a.attrelid = object AND a.attnum = part
LEFT JOIN pg_depend d ON d.classid = class AND d.objid = object AND d.deptype = 'e'
LEFT JOIN LATERAL pg_identify_object(d.refclassid, d.refobjid, 0) e ON d.refobjid IS NOT NULL
WHERE object >= 16384
ORDER BY class, object, part
"""


def reasons(details: Sequence[str]) -> list[tuple[str, str]]:
    """The reasons why an upgrade did not go on, one for each check that failed, each with its remedy. The details
    are the command line, what the program printed, and the lines of its log files, each after its name."""
    files = _files(details)
    explanation = " ".join(_explanation(files[_PRINTED]))
    if explanation and not explanation.startswith(_HALFWAY):
        parts = _NEXT.split(explanation.removeprefix(_TYPES).strip())
        return [_explained(part, files) for part in parts]
    for pattern in (_ERROR, _FATAL):
        said = [match["said"] for line in details if (match := pattern.search(line))]
        if said:
            return [("; ".join(list(dict.fromkeys(said))[:_CAUSES]), REMEDY)]
    return []


def _files(details: Sequence[str]) -> dict[str, list[str]]:
    """The lines that the program printed, and those of its files, which name the database before its objects."""
    lines: list[str] = []
    found = {_PRINTED: lines}
    for line in details[1:]:
        if match := _FILE.match(line):
            lines = found.setdefault(match["name"], [])
        elif line.strip() and not _DATABASE.match(line):
            lines.append(line.strip())
    return found


def _explanation(printed: Sequence[str]) -> Sequence[str]:
    """The lines that pg_upgrade printed after its last step."""
    before = printed[: -printed[::-1].index(_END) - 1] if _END in printed else []
    steps = [at for at, line in enumerate(before) if _STEP.fullmatch(line)]
    return before[max(steps, default=-1) + 1 :]


def _explained(text: str, files: dict[str, list[str]]) -> tuple[str, str]:
    objects: list[str] = []
    for match in _LISTED.finditer(text):
        file = (match["file"] or "").rpartition("/")[2]
        objects += (_OID.sub("", line) for line in files.get(file, ()))
    sentences = _SENTENCE.split(_LISTED.sub("", text).strip())
    advice = [each for each in sentences if _ADVICE.match(each)]
    problem = " ".join(each for each in sentences if each not in advice) or text
    if objects:
        more = len(objects) - _OBJECTS
        problem += f" ({', '.join(objects[:_OBJECTS])}{f' and {more} more' if more > 0 else ''})"
    return problem, " ".join(advice).strip(" :;") or REMEDY


def drop_named(connection: psycopg.Connection, details: Sequence[str]) -> dict[str, str]:
    """Drop the objects in the files that pg_upgrade wrote for failed checks. Return the statements that did. The
    connection is a superuser's, with an empty search path; for the details, see :func:`reasons`."""
    files = _files(details).items()
    lines = [line for name, of_file in files if name.endswith(".txt") for line in of_file]
    meant = {
        "names": [_KIND.sub("", _OID.sub("", line)) for line in lines],
        "oids": [int(match["oid"]) for line in lines if (match := _OID.match(line))],
        "libraries": [match["library"] for line in lines if (match := _LIBRARY.search(line))],
    }
    dropped = {}
    for kind, identity, column in connection.execute(_MEANT.encode(), meant).fetchall():
        for sql in _drops(kind, identity, column):
            if refusal(connection, sql) is None:
                dropped[f"{kind} {identity}" + (f".{column}" if column else "")] = sql
                break
    return dropped


def _drops(kind: str, identity: str, column: str | None) -> Iterator[str]:
    """Statements that may drop the object, the smallest first: an inherited column or a partition key goes
    with its table."""
    if column is not None:
        yield f"ALTER {kind} {identity} DROP COLUMN IF EXISTS {column} CASCADE"
    if kind == "table" and column is None:
        yield f"ALTER TABLE {identity} SET WITHOUT OIDS"
    yield f"DROP {'TYPE' if kind == 'composite type' else kind} IF EXISTS {identity} CASCADE"
