"""A database with everything that has statistics, as small as plans need it, and queries on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.server import Cluster

ROWS = 10_000
"""ANALYZE takes 30,000 rows as its sample: all of them, so that it always finds the same."""
_SCHEMA = """
    CREATE TYPE kind AS ENUM ('new', 'paid', 'sent');
    CREATE DOMAIN code AS text;
    CREATE TABLE orders (
        id bigint PRIMARY KEY, dropped int, customer int, city int, zip int, kind kind, code code, tags int[],
        words tsvector, during int4range, note text, noise text
    );
    ALTER TABLE orders DROP COLUMN dropped;
    CREATE INDEX ON orders (customer, kind);
    CREATE INDEX ON orders (lower(note));
    CREATE INDEX partial ON orders (city) WHERE kind = 'new';
    CREATE INDEX ON orders USING gin (tags);
    CREATE INDEX ON orders USING gist (during);
    CREATE TABLE customers (id int PRIMARY KEY, name varchar(40), born date, letter "char");
    CREATE INDEX ON customers (born DESC, id);
    CREATE TABLE parent (a int, b text);
    CREATE TABLE child () INHERITS (parent);
    CREATE INDEX ON child (a);
    CREATE TABLE "An ""empty"" one" (a int);
"""
_DATA = f"""
    INSERT INTO orders SELECT i, i % 700, i % 50, i % 50 / 5,
        (ARRAY['new', 'paid', 'sent'])[1 + (i % 10) / 4]::kind, 'c' || i % 90, ARRAY[i % 13, i % 77],
        to_tsvector('simple', 'w' || i % 30 || ' v' || i % 7),
        int4range(i, i + i % 40), 'note ' || i, repeat(md5(i::text), 1 + i % 5)
      FROM generate_series(1, {ROWS}) i;
    INSERT INTO customers SELECT i, 'name ' || i, date '1950-01-01' + i * 20, chr(65 + i % 26)::"char"
      FROM generate_series(1, 700) i;
    INSERT INTO parent SELECT i, 'p' FROM generate_series(1, 500) i;
    INSERT INTO child SELECT i % 300, 'c' || i FROM generate_series(1, 5000) i;
    CREATE MATERIALIZED VIEW busy AS SELECT customer, count(*) AS n FROM orders GROUP BY 1;
    CREATE INDEX ON busy (n);
"""
_NEWER: tuple[tuple[VersionSet, str], ...] = (
    (
        VersionSet(">=11"),
        """
        CREATE TABLE parts (at date, n int) PARTITION BY RANGE (at);
        CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
        CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM ('2021-01-01') TO ('2022-01-01');
        CREATE INDEX ON parts (n);
        INSERT INTO parts SELECT date '2020-01-01' + i % 700, i % 400 FROM generate_series(1, 9000) i;
        CREATE STATISTICS places (ndistinct, dependencies) ON city, zip FROM orders;
        """,
    ),
    (
        VersionSet(">=12"),
        """
        CREATE STATISTICS lists (mcv) ON city, zip FROM orders;
        CREATE TYPE place AS (x int, kind kind);
        CREATE TABLE visits (
            kind kind, code code, place place, kinds kind[], at timestamptz, price numeric, id uuid, flag bool
        );
        INSERT INTO visits SELECT
            (ARRAY['new', 'paid', 'sent'])[1 + i % 3]::kind, 'c,"' || i % 3, ROW(i % 3, 'paid')::place,
            ARRAY['sent', 'new']::kind[], '2020-01-01 00:00:00+00'::timestamptz + i % 3 * interval '1 day',
            i % 3 + 0.5, md5((i % 3)::text)::uuid,
            CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END
          FROM generate_series(1, 3000) i;
        CREATE STATISTICS of_visits (mcv) ON flag, id, kind, code, place, kinds, at, price FROM visits;
        """,
    ),
    (
        VersionSet(">=14"),
        """
        CREATE STATISTICS of_places ON ((place).kind), (flag IS NULL), code FROM visits;
        CREATE STATISTICS of_words ON (lower(code)) FROM visits;
        CREATE TABLE spans (s int4multirange);
        INSERT INTO spans SELECT int4multirange(int4range(i, i + i % 9)) FROM generate_series(1, 2000) i;
        """,
    ),
)
_LATER = f"""
    INSERT INTO orders (id, customer, kind, note)
    SELECT i, i, 'new', 'p' || i FROM generate_series({ROWS + 1}, {ROWS + 300}) i;
    INSERT INTO customers SELECT i, 'name ' || i, date '1988-05-01' - i, '!' FROM generate_series(-90, 0) i;
    CHECKPOINT
"""
"""Rows beyond the histograms: the planner looks up the ends of indexes. A checkpoint writes their first pages."""
QUERIES = (
    "SELECT * FROM orders WHERE id = 7",
    "SELECT * FROM orders WHERE id BETWEEN 5000 AND 5300",
    "SELECT * FROM orders WHERE customer = 3 AND kind = 'paid'",
    "SELECT * FROM orders WHERE city = 7 AND zip = 1",
    "SELECT city, zip, count(*) FROM orders GROUP BY 1, 2",
    "SELECT count(*) FROM orders WHERE city = 7 AND kind = 'new'",
    "SELECT * FROM orders WHERE lower(note) = 'note 9'",
    "SELECT * FROM orders WHERE tags @> ARRAY[76]",
    "SELECT * FROM orders WHERE words @@ 'w7'::tsquery",
    "SELECT * FROM orders WHERE during @> 500",
    "SELECT * FROM orders WHERE code = 'c5' ORDER BY noise LIMIT 10",
    "SELECT name, sum(o.id) FROM orders o JOIN customers c ON c.id = o.customer WHERE born < '1955-03-01'"
    " GROUP BY 1",
    "SELECT * FROM customers WHERE letter = 'C'",
    "SELECT * FROM parent WHERE a = 44",
    "SELECT * FROM busy WHERE n > 28",
)
_NEWER_QUERIES: tuple[tuple[VersionSet, str], ...] = (
    (VersionSet(">=12"), "SELECT * FROM orders WHERE id > 9990"),
    (VersionSet(">=12"), "SELECT * FROM orders WHERE customer > 695"),
    (VersionSet(">=12"), "SELECT * FROM orders WHERE lower(note) > 'note 9998'"),
    (VersionSet(">=12"), "SELECT * FROM customers WHERE id < 3"),
    (VersionSet(">=12"), "SELECT * FROM customers WHERE born > '1988-05-20'"),
    (VersionSet(">=11"), "SELECT * FROM parts WHERE n = 10 AND at > '2021-03-01'"),
    (
        VersionSet(">=12"),
        "SELECT * FROM visits WHERE kind = 'paid' AND code = 'c,\"1' AND place = ROW(1, 'paid')::place",
    ),
    (VersionSet(">=12"), "SELECT * FROM visits WHERE kinds = '{sent,new}' AND NOT flag AND price = 1.5"),
    (VersionSet(">=12"), "SELECT * FROM visits WHERE flag IS NULL AND kind = 'sent' AND at > '2020-01-03'"),
    (
        VersionSet(">=14"),
        "SELECT * FROM visits WHERE (place).kind = 'paid' AND (flag IS NULL) AND code < 'd'",
    ),
    (VersionSet(">=14"), "SELECT (flag IS NULL), code, count(*) FROM visits GROUP BY 1, 2"),
    (VersionSet(">=14"), "SELECT * FROM visits WHERE lower(code) = 'c,\"2'"),
    (VersionSet(">=14"), 'SELECT * FROM "An ""empty"" one"'),
    (VersionSet(">=14"), "SELECT * FROM spans WHERE s && '{[3,9)}'::int4multirange"),
)


def create_schema(cluster: Cluster, newest: Cluster | None = None) -> None:
    """Create the database ``shop`` with its schema and data, as ``newest`` can have it, too."""
    oldest = min(cluster, newest or cluster, key=lambda each: each.version)
    cluster.sql("CREATE DATABASE shop")
    with cluster.connect("shop") as connection:
        connection.execute(_SCHEMA)
        for versions, statements in _NEWER:
            if oldest.version in versions:
                connection.execute(statements.encode())
        connection.execute(_DATA)
        connection.execute("VACUUM ANALYZE")
        for statement in _LATER.split(";"):
            connection.execute(statement.encode())


def queries(*clusters: Cluster) -> list[str]:
    """The queries for servers that all have what they are on."""
    newer = [sql for versions, sql in _NEWER_QUERIES if all(each.version in versions for each in clusters)]
    return [*QUERIES, *newer]
