"""The schema of statistics runs no program, and gives nobody more rights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.statistics.model import Statistics
from pytest_pgfeatures.statistics.transplant import DBNAME, transplant
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures import Cluster

SCHEMA = """\
CREATE FUNCTION public.attack(how text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat > DIRECTORY/' || how);
    RETURN 1;
EXCEPTION WHEN OTHERS THEN
    RETURN 0;
END $$;
ALTER FUNCTION public.attack(text) OWNER TO postgres;
DO $$ BEGIN RESET ROLE; PERFORM public.attack('do'); END $$;
CREATE MATERIALIZED VIEW public.seen AS SELECT public.attack('view') AS found;
ALTER MATERIALIZED VIEW public.seen OWNER TO app;
SET SESSION AUTHORIZATION app;
SELECT public.attack('role');
RESET SESSION AUTHORIZATION;
CREATE EXTENSION pageinspect WITH SCHEMA public;
COMMENT ON EXTENSION pageinspect IS 'inspect the contents of database pages';
CREATE FUNCTION public.fired() RETURNS event_trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM public.attack(''event''); END';
CREATE EVENT TRIGGER fires ON ddl_command_start EXECUTE PROCEDURE public.fired();
ALTER EVENT TRIGGER fires OWNER TO postgres;
CREATE EXTENSION hstore WITH SCHEMA public;
"""


@pytest.mark.pg("9.6, 14, 18")
@pytest.mark.parametrize("trust", [False, True])
def test_a_schema_reaches_the_machine_only_if_it_is_trusted(
    create_pg: Callable[..., Cluster], tmp_path: Path, *, trust: bool
) -> None:
    for each in (tmp_path, *list(tmp_path.parents)[:-1]):
        each.chmod(0o777 if each == tmp_path else each.stat().st_mode | 0o055)
    schema = SCHEMA.replace("DIRECTORY", str(tmp_path))
    cluster = create_pg("attacked")
    statistics = Statistics(
        PgVersion("14.1"), "shop", "UTF8", "C", "C", (), ("postgres", "app"), (), (), schema=schema
    )  # fmt: skip
    transplant(cluster, statistics, partial=True, trust=trust)
    reached = {each.name for each in tmp_path.iterdir()}
    assert reached == ({"do", "view", "event"} if trust else set())
    query = "SELECT relowner::regrole::text FROM pg_class WHERE relname = 'seen'"
    assert cluster.sql(query, dbname=DBNAME) == [("app",)]
    assert cluster.sql("SELECT evtenabled FROM pg_event_trigger", dbname=DBNAME) == [("O" if trust else "D",)]
