"""The schema of statistics runs no program, and gives nobody more rights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from torture.attacks import ATTACK, DUMPED

from pytest_pgfeatures.statistics.model import (
    HISTOGRAM,
    MCV,
    ColumnStatistics,
    Combination,
    ExtendedStatistics,
    RelationStatistics,
    Slot,
    Statistics,
)
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures import Cluster


@pytest.mark.pg("9.6, 14, 18")
@pytest.mark.parametrize("trust", [False, True])
def test_a_schema_reaches_the_machine_only_if_it_is_trusted(
    create_pg: Callable[..., Cluster], reachable_path: Path, *, trust: bool
) -> None:
    directory = reachable_path / "reached"
    directory.mkdir()
    directory.chmod(0o777)
    schema = DUMPED.replace("DIRECTORY", str(directory))
    cluster = create_pg("attacked")
    statistics = Statistics(
        PgVersion("14.1"), "shop", "UTF8", "C", "C", (), ("postgres", "app"), (), (), schema=schema
    )  # fmt: skip
    transplant(cluster, statistics, partial=True, trust=trust)
    reached = {each.name for each in directory.iterdir()}
    assert reached == ({"do", "view", "event"} if trust else set())
    query = "SELECT relowner::regrole::text FROM pg_class WHERE relname = 'seen'"
    assert cluster.sql(query, dbname=DBNAME) == [("app",)]
    assert cluster.sql("SELECT evtenabled FROM pg_event_trigger", dbname=DBNAME) == [("O" if trust else "D",)]


_PLACED = (
    ATTACK.replace("FUNCTION ", "FUNCTION public.").replace("RETURN attack", "RETURN public.attack")
    + """\
CREATE DOMAIN public.picky AS integer CHECK (public.attack('domain') >= 0);
CREATE TYPE public.pair AS (a public.picky);
CREATE TYPE public.span AS RANGE (SUBTYPE = public.picky);
CREATE TABLE public.bait (plain public.picky, made public.pair, spanned public.span, a int);
CREATE INDEX of_constant ON public.bait ((made = '(1)'::public.pair));
CREATE INDEX of_plain ON public.bait (plain);
"""
)
_SINCE_14 = """\
ALTER TABLE public.bait ADD several public.picky[];
CREATE STATISTICS public.of_bait (mcv) ON plain, made FROM public.bait;
CREATE STATISTICS public.of_expression ON (made = '(1)'::public.pair) FROM public.bait;
"""


def _placed(version: PgVersion) -> Statistics:
    def column(name: str, type_: str, values: str, kind: int = MCV) -> ColumnStatistics:
        numbers = "{0.5,0.25}" if kind == MCV else None
        return ColumnStatistics(
            name, type_, False, 0.0, 4, -0.5, (Slot(kind, numbers, values),), ends=("1", "2")
        )  # fmt: skip

    columns = (
        column("plain", "public.picky", "{1,2}"),
        column("made", "public.pair", '{"(1)","(2)"}'),
        column("spanned", "public.span", '{"[1,2)","[2,3)"}', HISTOGRAM),
        column("a", "integer", "{1,2}"),
        column("several", "public.picky[]", '{"{1}","{2}"}'),
    )
    extended = (
        ExtendedStatistics(
            "public", "of_bait", "public", "bait", False, columns=("plain", "made"),
            mcv=(Combination(("1", "(1)"), 0.5, 0.25),),
        ),
        ExtendedStatistics(
            "public", "of_expression", "public", "bait", False,
            expressions=(column("1", "boolean", "{t,f}"),),
        ),
    )  # fmt: skip
    since_14 = version in VersionSet(">=14")
    return Statistics(
        version, "shop", "UTF8", "C", "C",
        (("random_page_cost", "1.5"), ("session_preload_libraries", "no_such_library")), ("postgres", "app"), (),
        (
            RelationStatistics("public", "bait", "r", "", 10, 10, 100.0, 10, columns=columns),
            RelationStatistics("public", "of_plain", "i", "btree", 2, 2, 100.0, 0),
            RelationStatistics("public", "of_constant", "i", "btree", 2, 2, 100.0, 0,
                               columns=(column("expr", "boolean", "{t,f}"),)),
        ),
        extended if since_14 else (),
        schema=_PLACED + (_SINCE_14 if since_14 else ""),
    )  # fmt: skip


@pytest.mark.pg("9.6, 14, 18")
@pytest.mark.parametrize("trust", [False, True])
def test_nothing_of_the_schema_runs_as_superuser_while_its_statistics_are_put_in_place(
    create_pg: Callable[..., Cluster], reachable_path: Path, *, trust: bool
) -> None:
    directory = reachable_path / "reached"
    directory.mkdir()
    directory.chmod(0o777)
    cluster = create_pg("attacked")
    statistics = _placed(cluster.version)
    statistics = statistics.with_schema((statistics.schema or "").replace("DIRECTORY", str(directory)))
    made = transplant(cluster, statistics, partial=True, trust=trust)
    assert {each.name for each in directory.iterdir()} == ({"domain"} if trust else set())
    if trust:
        return
    settings = cluster.sql("SELECT unnest(setconfig)::text FROM pg_db_role_setting")
    assert ("random_page_cost=1.5",) in settings
    assert not [each for (each,) in settings if "preload" in each]
    kept = {
        name: (values, numbers)
        for name, values, numbers in cluster.sql(
            "SELECT attname::text, coalesce(most_common_vals, histogram_bounds)::text, most_common_freqs::text"
            " FROM pg_stats WHERE tablename = 'bait'",
            dbname=DBNAME,
        )
    }
    assert kept["a"] == ("{1,2}", "{0.5,0.25}")
    assert kept["plain"] == ("{1,2}", "{0.5,0.25}")
    assert any("session_preload_libraries" in problem for problem in made.problems)
