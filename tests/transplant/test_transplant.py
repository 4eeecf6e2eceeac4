"""A transplant plans as the server does that its statistics come from, and as a filled server of another major."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import PlanOptionError, StatisticsError
from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.statistics.checksums import with_checksum
from pytest_pgfeatures.statistics.document import read_statistics, text_of, write_statistics
from pytest_pgfeatures.statistics.locales import locale_of
from pytest_pgfeatures.statistics.model import BLOCK, MCELEM
from pytest_pgfeatures.statistics.reading import export
from pytest_pgfeatures.statistics.sizes import SEGMENT, has_holes, no_sparse_files
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant
from pytest_pgfeatures.statistics.values import without_values

from .production import create_schema, queries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

pytestmark = pytest.mark.pg(matrix=False)  # they pick their own versions

QUIET = {"autovacuum": False}
"""Nothing but the test's own ANALYZE makes statistics."""


def _differing(filled: Cluster, made: Cluster, production: Cluster, tolerance: float = 0.01) -> list[str]:
    """The queries whose plans are not the same node for node, or whose costs differ by more than 1%."""
    found = []
    with filled.connect("shop") as one, made.connect(DBNAME) as other:
        for query in queries(filled, made, production):
            real, planned = explain(one, query), explain(other, query)
            costs = real.root["Total Cost"], planned.root["Total Cost"]
            if real.shape() != planned.shape() or abs(costs[0] - costs[1]) > costs[0] * tolerance:
                found.append(f"{query}\n{real}\n{planned}")
    return found


@pytest.mark.parametrize("major", ["9.6", "12", "18"])
def test_it_plans_as_the_server_that_its_statistics_come_from(
    major: str, create_pgs: Callable[..., tuple[Cluster, ...]], tmp_path: Path
) -> None:
    production, other = create_pgs("production", "other", version=major, settings=QUIET)
    create_schema(production)
    production.sql("ALTER DATABASE shop SET random_page_cost = 1.3")
    statistics = export(production.dsn("shop"))
    assert statistics.unseen == ()
    write_statistics(statistics, tmp_path / "shop.json")
    statistics = read_statistics(tmp_path / "shop.json")

    made = transplant(other, statistics)

    assert made.problems == ()
    assert made.relations == len(statistics.relations) >= 16
    assert made.size == statistics.bytes > 4_000_000
    assert _differing(production, other, production) == []
    assert export(other.dsn(DBNAME), schema=False).extended == statistics.extended
    assert other.sql("SHOW autovacuum") == [("off",)]
    assert other.sql("SHOW random_page_cost", dbname=DBNAME) == [("1.3",)]
    with other.connect(DBNAME) as connection, pytest.raises(PlanOptionError, match="is a transplant"):
        explain(connection, "SELECT 1", analyze=True)
    pages = other.sql("SELECT pg_relation_size('orders') / 8192", dbname=DBNAME)
    assert pages == production.sql("SELECT pg_relation_size('orders') / 8192", dbname="shop")


OF_EXTENSIONS = """
    CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree;
    CREATE TABLE t AS
    SELECT i AS id, ('Name' || i % 500)::citext AS name, hstore('k' || i % 7, 'v' || i % 300) AS more,
        ('top.a' || i % 40 || '.b' || i % 9)::ltree AS path
    FROM generate_series(1, 20000) i;
    CREATE INDEX ON t (name);
    CREATE INDEX ON t USING gist (more);
    CREATE INDEX ON t USING gist (path);
    ANALYZE t;
"""


@pytest.mark.pg(needs=["contrib:citext", "contrib:hstore", "contrib:ltree"])
def test_types_of_extensions(create_pgs: Callable[..., tuple[Cluster, ...]]) -> None:
    production, other = create_pgs("production", "other", version="14", settings=QUIET)
    production.sql(OF_EXTENSIONS)

    statistics = export(production.dsn())
    made = transplant(other, statistics)

    assert made.problems == ()
    # citext is printed as text is, by the server itself; values of the others have the extension's own functions
    assert any(
        "types public.hstore, public.ltree, which functions print" in line for line in statistics.unseen
    )
    conditions = ("name = 'NAME7'", "name > 'name490'", "name < 'name2'")
    with production.connect() as one, other.connect(DBNAME) as another:
        for condition in conditions:
            query = f"SELECT * FROM t WHERE {condition}"
            real, planned = explain(one, query), explain(another, query)
            assert planned.shape() == real.shape(), f"{real}\n{planned}"
            assert planned.root["Total Cost"] == pytest.approx(real.root["Total Cost"], rel=0.01)


@pytest.mark.parametrize("version", ["12", "14", pytest.param("16", marks=pytest.mark.thorough), "18"])
def test_expressions_whose_operator_class_has_keys_of_another_type(
    version: str, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    production, other = create_pgs("production", "other", version=version, settings=QUIET)
    production.sql("""
        CREATE TABLE t AS SELECT i AS id, 'w' || i % 300 || ' v' || i % 7 AS note FROM generate_series(1, 20000) i;
        CREATE INDEX ON t USING gin (to_tsvector('simple', note));
        CREATE INDEX ON t USING gin (string_to_array(note, ' '));
        CREATE INDEX ON t USING hash (upper(note));
        ANALYZE t
    """)

    made = transplant(other, export(production.dsn()))

    assert made.problems == ()
    conditions = (
        "to_tsvector('simple', note) @@ 'w7'", "string_to_array(note, ' ') @> '{w8}'", "upper(note) = 'W9 V2'",
    )  # fmt: skip
    with production.connect() as one, other.connect(DBNAME) as another:
        for condition in conditions:
            query = f"SELECT * FROM t WHERE {condition}"
            real, planned = explain(one, query), explain(another, query)
            assert planned.shape() == real.shape(), f"{real}\n{planned}"
            assert planned.root["Plan Rows"] == real.root["Plan Rows"]


DOMAINS_AND_OPERATOR_CLASSES = """
    CREATE EXTENSION pg_trgm;
    CREATE DOMAIN span AS int4range; CREATE DOMAIN words AS tsvector; CREATE DOMAIN list AS text[];
    CREATE TABLE t AS
    SELECT i AS id, note, int4range(i % 500, i % 500 + i % 13)::span AS during,
        to_tsvector('simple', note)::words AS said, ARRAY['a' || i % 20, 'b' || i % 5]::list AS tags,
        jsonb_build_object('k', i % 40, 'l', jsonb_build_array(i % 7)) AS doc
    FROM generate_series(1, 20000) i CROSS JOIN LATERAL (SELECT 'w' || i % 300 || ' v' || i % 7 AS note) n;
    CREATE INDEX ON t USING gin (lower(note) gin_trgm_ops);
    CREATE INDEX ON t USING gin ((doc -> 'l') jsonb_path_ops);
    CREATE INDEX ON t USING hash ((doc ->> 'k'));
    CREATE INDEX ON t USING spgist ((note || 'x'));
    CREATE INDEX ON t USING brin ((id * 2));
    CREATE INDEX ON t USING gist (int4range(id, id + 5));
    CREATE INDEX ON t USING gist (upper(note) gist_trgm_ops);
    ANALYZE t
"""


@pytest.mark.pg(needs=["contrib:pg_trgm"])
@pytest.mark.parametrize("version", ["12", "14", pytest.param("16", marks=pytest.mark.thorough), "18"])
def test_domains_and_expressions_of_each_access_method_keep_their_statistics(
    version: str, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    production, other = create_pgs("production", "other", version=version, settings=QUIET)
    production.sql(DOMAINS_AND_OPERATOR_CLASSES)

    statistics = export(production.dsn())
    made = transplant(other, statistics)

    assert made.problems == ()
    assert not any("gtrgm" in line for line in statistics.unseen)
    conditions = (
        "upper(note) LIKE '%W12%'", "upper(note) = 'W7 V7'", "lower(note) LIKE '%w12%'",
        "doc -> 'l' @> '[3]'", "doc ->> 'k' = '7'",
        "note || 'x' = 'w7 v7x'", "id * 2 < 900", "int4range(id, id + 5) && int4range(30, 90)",
        "during && int4range(3, 9)", "during @> 17", "during << int4range(3, 9)", "said @@ 'w7'",
        "said @@ 'v3 & w8'", "tags @> '{a3}'", "upper(note) > 'W9'", "lower(note) = 'w8 v3'",
        "doc ->> 'k' IN ('1','2')", "note || 'x' > 'w9'", "id * 2 BETWEEN 10 AND 50", "doc -> 'l' = '[2]'",
    )  # fmt: skip
    with production.connect() as one, other.connect(DBNAME) as another:
        for condition in conditions:
            query = f"SELECT * FROM t WHERE {condition}"
            real, planned = explain(one, query), explain(another, query)
            assert planned.shape() == real.shape(), f"{real}\n{planned}"
            assert planned.root["Plan Rows"] == real.root["Plan Rows"], condition
    kept, dropped = without_values(statistics, ["text"])
    assert {f"public.t_{name}" for name in ("lower_idx.lower", "expr_idx1.expr", "expr_idx2.expr")} <= set(
        dropped
    )
    assert "w12" not in text_of(kept.with_schema(""))


@pytest.mark.parametrize("version", ["12", "18"])
def test_what_fails_for_one_column_is_told_and_the_others_keep_their_statistics(
    version: str, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    production, other = create_pgs("production", "other", version=version, settings=QUIET)
    production.sql(
        "CREATE TABLE t AS SELECT i % 9 AS a, i % 9 AS b, i % 9 AS c FROM generate_series(1, 999) i"
    )
    production.sql("ANALYZE t")
    statistics = export(production.dsn())
    (table,) = statistics.relations
    spoiled = {"a": {"values": "{x,y}"}, "b": {"kind": MCELEM}}  # no numbers; elements of what is no array
    columns = tuple(
        replace(each, slots=tuple(replace(slot, **spoiled.get(each.name, {})) for slot in each.slots[:1]))
        for each in table.columns
    )

    made = transplant(other, replace(statistics, relations=(replace(table, columns=columns),)))

    assert {problem.partition(":")[0] for problem in made.problems} >= {"public.t.a", "public.t.b"}, (
        made.problems
    )
    assert not any("public.t.c" in problem for problem in made.problems)
    with production.connect() as one, other.connect(DBNAME) as another:
        query = "SELECT * FROM t WHERE c = 3"
        assert explain(another, query).root["Plan Rows"] == explain(one, query).root["Plan Rows"] == 111


@pytest.mark.parametrize(("old", "new", "tolerance"), [("9.6", "14", 0.2), ("14", "18", 0.01)])
def test_statistics_of_one_major_give_the_plans_of_another(
    old: str, new: str, tolerance: float, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    production, filled, other = create_pgs(
        "production",
        "filled",
        "other",
        version={"production": old, "filled": new, "other": new},
        settings=QUIET,
    )
    create_schema(production, filled)
    create_schema(filled, production)
    statistics = export(production.dsn("shop"))
    # pg_dump of the newest major writes what an older one can't read: its schema is the same
    made = transplant(other, statistics.with_schema(export(filled.dsn("shop")).schema))
    assert made.problems == ()
    # 9.6 takes other values for common ones (see 11), and stores equal keys of a B-tree more than once (see 13)
    assert _differing(filled, other, production, tolerance) == []


def test_a_relation_of_several_segments_takes_no_room(
    create_pgs: Callable[..., tuple[Cluster, ...]],
) -> None:
    production, other = create_pgs("production", "other", version="18")
    production.sql("CREATE TABLE big (a int PRIMARY KEY); INSERT INTO big VALUES (1)")
    statistics = export(production.dsn())
    pages = 5 * SEGMENT // BLOCK // 2
    relations = tuple(
        replace(each, pages=pages, relpages=pages, reltuples=pages * 200.0)
        if each.kind == "r"
        else replace(each, pages=pages // 4, relpages=pages // 4, reltuples=pages * 200.0)
        for each in statistics.relations
    )
    made = transplant(other, replace(statistics, relations=relations, collate="xx_XX", ctype="xx_XX"))
    assert made.problems[0].startswith("the database sorts text by C.UTF-8 of libc, and production by xx_XX")
    assert made.size > 3_000_000_000
    assert other.sql("SELECT pg_relation_size('big')", dbname=DBNAME) == [(pages * BLOCK,)]
    path = other.datadir / other.sql("SELECT pg_relation_filepath('big')", dbname=DBNAME)[0][0]
    sizes = [path.stat().st_size, *(path.with_name(f"{path.name}.{n}").stat().st_size for n in (1, 2))]
    assert sizes == [SEGMENT, SEGMENT, SEGMENT // 2]
    assert path.stat().st_blocks * 512 < 1_000_000
    with other.connect(DBNAME) as connection:
        plan = explain(connection, "SELECT * FROM big WHERE a = 7")
        # three levels above the leaves: 0.125 for each, and the page of the leaf and that of the table
        assert plan.one("Index Only Scan, Index Scan")["Total Cost"] == pytest.approx(8.58, abs=0.02)


OF_ICU = """
    CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE t AS SELECT i AS id, 'Name' || i % 500 AS name FROM generate_series(1, 5000) i;
    ALTER TABLE t ALTER name TYPE text COLLATE folded;
    CREATE INDEX ON t (name);
    ANALYZE t;
"""


@pytest.mark.parametrize(
    ("major", "created"),
    [
        ("maven:16", "LOCALE_PROVIDER icu ICU_LOCALE 'de' ICU_RULES '&b < a'"),
        ("pypi:17", "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C'"),
    ],
)
def test_the_locale_is_productions_and_its_provider(
    major: str, created: str, create_pgs: Callable[..., tuple[Cluster, ...]]
) -> None:
    versions = {"production": major, "other": major, "lacking": "pypi:16"}
    production, other, lacking = create_pgs(*versions, version=versions, settings=QUIET)
    production.sql(f"CREATE DATABASE shop TEMPLATE template0 {created}")
    icu = "icu" in created
    production.sql(OF_ICU if icu else "CREATE TABLE t AS SELECT 'x' AS name; ANALYZE t", dbname="shop")
    statistics = export(production.dsn("shop"))

    assert transplant(other, statistics).problems == ()

    with production.connect("shop") as one, other.connect(DBNAME) as another:
        assert locale_of(another) == locale_of(one)
        for condition in ("name = 'NAME7'", "name > 'name490'"):
            query = f"SELECT * FROM t WHERE {condition}"
            assert explain(another, query).shape() == explain(one, query).shape()
    if icu:
        with pytest.raises(StatisticsError, match="a collation of ICU, and lacking is built without it"):
            transplant(lacking, statistics)
    plain = statistics.with_schema("CREATE TABLE t (id int, name text)")
    (told, *_) = transplant(lacking, plain, partial=True).problems
    assert (
        f"and production by {'de of ICU with rules of its own' if icu else 'C of the provider builtin'}"
        in told
    )


def test_checksums_are_the_servers(create_pg: Callable[..., Cluster]) -> None:
    cluster = create_pg(version="18", initdb_options=["--data-checksums"])
    cluster.sql("CREATE TABLE t AS SELECT i FROM generate_series(1, 1000) i")
    path = cluster.datadir / cluster.sql("SELECT pg_relation_filepath('t')")[0][0]
    cluster.stop()
    content = path.read_bytes()
    pages = [content[at : at + BLOCK] for at in range(0, len(content), BLOCK)]
    assert len(pages) > 3
    for number, page in enumerate(pages):
        if any(page):  # a page of zeros has none
            assert with_checksum(page[:8] + b"??" + page[10:], number) == page


def test_another_schema_is_an_error_that_names_what_differs(
    create_pgs: Callable[..., tuple[Cluster, ...]],
) -> None:
    production, other = create_pgs("production", "other", version="18")
    production.sql("CREATE TABLE t (a int, b text, c int); INSERT INTO t VALUES (1, 'x', 2); ANALYZE t")
    production.sql("CREATE TABLE gone (a int); CREATE INDEX ON gone (a)")
    statistics = export(production.dsn())
    other.sql("CREATE TABLE t (a text, b text); CREATE TABLE come (a int)")
    with pytest.raises(StatisticsError) as raised:
        transplant(other, statistics, dbname="postgres")
    assert set(raised.value.details) == {
        "column public.t.a is text here, and the statistics are of integer",
        "column public.t.c does not exist here",
        "table public.gone does not exist here",
        "index public.gone_a_idx does not exist here",
        "table public.come has no statistics",
    }
    made = transplant(other, statistics, dbname="postgres", partial=True)
    assert set(raised.value.details) <= set(made.problems)
    assert made.relations == 1


def test_a_disk_without_sparse_files_is_told(tmp_path: Path) -> None:
    full, hole = tmp_path / "full", tmp_path / "hole"
    full.write_bytes(os.urandom(1 << 20))
    with hole.open("wb") as file:
        file.truncate(1 << 20)
    assert (has_holes(full), has_holes(hole)) == (False, True)
    assert "would take 3 TB there" in str(no_sparse_files(tmp_path, 3 << 40))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace('"reltuples": 5', '"reltuples": 6'), "was changed after it was written"),
        (lambda text: text.replace('"format": 1', '"format": 2'), "has the format 2"),
        (lambda text: text[:300], "is no JSON"),
        (lambda _: "{}", "is not a file of pgfeatures statistics"),
    ],
)
def test_a_file_that_is_another_or_was_edited_is_refused(
    change: Callable[[str], str], said: str, statistics_file: Path, tmp_path: Path
) -> None:
    text = statistics_file.read_text()
    path = tmp_path / "changed.json"
    path.write_text(change(text))
    assert path.read_text() != text
    with pytest.raises(StatisticsError, match=said):
        read_statistics(path)
    assert read_statistics(statistics_file).relations[0].name == "t"


def _signed(document: dict[str, Any], path: Path) -> Path:
    """Write a document with the digest of its content."""
    canonical = json.dumps(document["content"], sort_keys=True, separators=(",", ":"))
    document["sha256"] = hashlib.sha256(canonical.encode()).hexdigest()
    path.write_text(json.dumps(document))
    return path


def test_a_value_of_another_form_is_refused_with_its_place(statistics_file: Path, tmp_path: Path) -> None:
    document = json.loads(statistics_file.read_text())
    document["content"]["relations"][0]["columns"][0]["slots"] = [{"kind": "1"}]
    path = _signed(document, tmp_path / "wrong.json")
    place = r"\$\.content\.relations\[0\]\.columns\[0\]\.slots\[0\]\.kind"
    with pytest.raises(StatisticsError, match=f"{place}: expected integer, got string"):
        read_statistics(path)
    document["content"]["version"] = [16]
    with pytest.raises(StatisticsError, match="is not a PostgreSQL version"):
        read_statistics(_signed(document, path))


def test_a_file_of_an_earlier_release_is_read(statistics_file: Path, tmp_path: Path) -> None:
    """It has neither the ends of B-trees nor the counts of indexes."""
    document = json.loads(statistics_file.read_text())
    for relation in document["content"]["relations"]:
        del relation["counts"]
        for column in relation["columns"]:
            del column["ends"]
    earlier = _signed(document, tmp_path / "earlier.json")
    assert {column.ends for each in read_statistics(earlier).relations for column in each.columns} == {None}
