"""A schema with indexes on expressions of every access method, and the queries that they serve.

Each access method has a table of its own with the same rows, so that no other one serves its queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.version import PgVersion

_TABLE = """
CREATE TABLE {name} (
    id int PRIMARY KEY, part int, title text, body text, code text, tags text, data jsonb, low int, high int,
    made timestamp, x float8, y float8, ip text, amount numeric, size sizes
);
INSERT INTO {name}
SELECT i, i % 200, 'Title ' || i % 9000,
       'body of ' || md5((i % 4000)::text) || ' word' || i % 60 || ' rest' || i % 7,
       'C' || lpad((i % 3000)::text, 5, '0'), 'tag' || i % 40 || ',tag' || i % 17 || ',rare' || i % 900,
       jsonb_build_object(
           'kind', 'k' || i % 25, 'list', jsonb_build_array(i % 30, i % 11), 'of', jsonb_build_object('n', i % 70)
       ),
       i % 5000, i % 5000 + i % 50, timestamp '2024-01-01' + i * interval '7 minutes', i % 300, i % 170,
       '10.' || i % 4 || '.' || i % 250 || '.' || i % 90, i % 1000 / 8.0,
       (ARRAY['small', 'medium', 'large'])[1 + i % 10 / 4]::sizes
  FROM generate_series(1, {rows}) i;
"""
_FIRST = """
CREATE EXTENSION pg_trgm;
CREATE TYPE sizes AS ENUM ('small', 'medium', 'large');
CREATE TABLE parts (number int PRIMARY KEY, name text);
INSERT INTO parts SELECT i, 'part ' || i FROM generate_series(0, 199) i;
"""
_SINCE_14 = VersionSet(">=14")
_ALL = VersionSet("all")


class _Index(NamedTuple):
    """An index, and conditions that it may serve.

    Parameters:
        keys: the content of CREATE INDEX's parentheses.
        versions: the versions that have the operator class.
    """

    keys: str
    conditions: tuple[str, ...]
    versions: VersionSet = _ALL


_INDEXES: dict[str, tuple[_Index, ...]] = {
    "btree": (
        _Index("lower(title)", ("lower(title) = 'title 77'", "lower(title) > 'title 8990'")),
        _Index("(amount * 1.2)", ("amount * 1.2 < 3", "amount * 1.2 BETWEEN 70 AND 71")),
        _Index("(data ->> 'kind')", ("data ->> 'kind' = 'k7'", "data ->> 'kind' IN ('k1', 'k24')")),
        _Index("upper(code), (id % 100)", ("upper(code) = 'C00017' AND id % 100 = 17", "upper(code) < 'C00004'")),
        _Index("reverse(code) text_pattern_ops", ("reverse(code) LIKE '71%'", "reverse(code) = '00000C'")),
        _Index("date_trunc('day', made)", ("date_trunc('day', made) = '2024-02-03'",)),
        _Index("(size > 'small')", ("size > 'small'",)),
    ),
    "hash": (
        _Index("lower(title)", ("lower(title) = 'title 77'", "lower(title) = 'title none'")),
        _Index("(data ->> 'kind')", ("data ->> 'kind' = 'k7'", "data ->> 'kind' = 'k24' AND part = 3")),
        _Index("(id % 1000)", ("id % 1000 = 44", "id % 1000 = 1")),
        _Index("(string_to_array(tags, ','))", ("string_to_array(tags, ',') = '{tag1,tag1,rare1}'",)),
    ),
    "gin": (
        _Index("(data -> 'list')", ("data -> 'list' @> '[29]'", "data -> 'list' @> '[1, 2]'")),
        _Index("(data -> 'of') jsonb_path_ops", ("""data -> 'of' @> '{"n": 3}'""", "data -> 'of' @> '{}'")),
        _Index("lower(body) gin_trgm_ops", ("lower(body) LIKE '%word33%'", "lower(body) ~ 'c4ca42'")),
        _Index("to_tsvector('simple', body)", (
            "to_tsvector('simple', body) @@ 'word5'", "to_tsvector('simple', body) @@ 'word5 & rest3'",
        )),
        _Index("string_to_array(tags, ',')", (
            "string_to_array(tags, ',') @> '{tag3}'", "string_to_array(tags, ',') && '{rare5,rare6}'",
        )),
    ),
    "gist": (
        _Index("int4range(low, high)", ("int4range(low, high) @> 77", "int4range(low, high) && '[4990,5100)'")),
        _Index("lower(body) gist_trgm_ops", ("lower(body) LIKE '%word33 %'",)),
        _Index("to_tsvector('simple', title)", ("to_tsvector('simple', title) @@ '5555'",)),
        _Index("point(x, y)", ("point(x, y) <@ box '((0,0),(9,9))'", "point(x, y) <@ circle '<(50,50),5>'")),
        _Index("(ip::inet) inet_ops", ("ip::inet << '10.1.3.0/24'", "ip::inet && '10.2.0.0/16'")),
        _Index("tsrange(made, made + interval '1 hour')", (
            "tsrange(made, made + interval '1 hour') @> timestamp '2024-03-01 12:30'",
        )),
    ),
    "spgist": (
        _Index("lower(title)", ("lower(title) = 'title 88'", "lower(title) < 'title 1005'")),
        _Index("point(x, y)", ("point(x, y) <@ box '((0,0),(9,9))'",)),
        _Index("point(y, x) kd_point_ops", ("point(y, x) <@ box '((3,3),(9,12))'",)),
        _Index("int4range(low, high)", ("int4range(low, high) @> 77", "int4range(low, high) << '[3,9)'")),
        _Index("(ip::inet) inet_ops", ("ip::inet << '10.1.3.0/24'", "ip::inet = '10.2.2.2'")),
    ),
    "brin": (
        _Index("(id / 10)", ("id / 10 = 55", "id / 10 BETWEEN 1 AND 30")),
        _Index("date_trunc('hour', made)", ("date_trunc('hour', made) < '2024-01-02'",)),
        _Index("int4range(id, id + 9)", ("int4range(id, id + 9) @> 300",)),
        _Index("(ip::inet) inet_inclusion_ops", ("ip::inet << '10.1.3.0/24'",)),
        _Index("(id / 7) int4_minmax_multi_ops", ("id / 7 = 70", "id / 7 > 4000"), _SINCE_14),
        _Index("lower(code) text_bloom_ops", ("lower(code) = 'c00100'", "lower(code) = 'none'"), _SINCE_14),
    ),
}  # fmt: skip
_ASKED = (
    "SELECT * FROM {table} WHERE {condition}",
    "SELECT name, count(*) FROM {table} t JOIN parts p ON p.number = t.part WHERE {condition} GROUP BY 1",
    "SELECT id FROM {table} WHERE {condition} AND part < 20 ORDER BY made LIMIT 5",
)


def schema(version: PgVersion, rows: int = 40_000) -> str:
    """Return the script that creates and fills the tables."""
    parts = [_FIRST]
    for method, indexes in _INDEXES.items():
        parts.append(_TABLE.format(name=f"of_{method}", rows=rows))
        parts += [
            f"CREATE INDEX ON of_{method} USING {method} ({each.keys});"
            for each in indexes
            if version in each.versions
        ]
    return "\n".join(parts)


def queries(version: PgVersion) -> list[str]:
    """Return at least 112 queries, each with a condition that an index serves."""
    return list(_queries(version))


def _queries(version: PgVersion) -> Iterator[str]:
    for method, indexes in _INDEXES.items():
        for each in indexes:
            if version in each.versions:
                for condition in each.conditions:
                    for asked in _ASKED:
                        yield asked.format(table=f"of_{method}", condition=condition)
