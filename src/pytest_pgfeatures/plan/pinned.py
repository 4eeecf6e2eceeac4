"""Fix the planner's inputs, so that a plan depends on the query and its data only."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanOptionError
from pytest_pgfeatures.keywords import suggesting
from pytest_pgfeatures.settings import as_setting, exists, name_for
from pytest_pgfeatures.version import PgMajor, PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import psycopg

SETTINGS: dict[str, str] = {
    # https://www.postgresql.org/docs/current/runtime-config-query.html: costs and sizes, at their defaults
    "seq_page_cost": "1",
    "random_page_cost": "4",
    "cpu_tuple_cost": "0.01",
    "cpu_index_tuple_cost": "0.005",
    "cpu_operator_cost": "0.0025",
    "effective_cache_size": "4GB",
    "work_mem": "4MB",
    "hash_mem_multiplier": "2",  # 1 up to 14
    "effective_io_concurrency": "1",  # 16 since 18
    # the search for join orders
    "geqo": "off",
    "from_collapse_limit": "8",
    "join_collapse_limit": "8",
    "cursor_tuple_fraction": "0.1",
    "constraint_exclusion": "partition",
    "plan_cache_mode": "auto",
    # the machine and its load
    "jit": "off",
    "debug_parallel_query": "off",
    "parallel_leader_participation": "on",
    "parallel_setup_cost": "1000",
    "parallel_tuple_cost": "0.1",
    "min_parallel_table_scan_size": "8MB",
    "min_parallel_index_scan_size": "512kB",
    # ANALYZE reads 300 rows for each: all rows of smaller tables, so that its result is always the same
    "default_statistics_target": "100",
}
"""The settings of :func:`pinned`, under the newest names, if the server has them."""
PARALLEL: dict[str, str] = {
    # https://www.postgresql.org/docs/current/parallel-query.html: the costs that keep small tables from workers
    "parallel_setup_cost": "0",
    "parallel_tuple_cost": "0",
    "min_parallel_table_scan_size": "0",
    "min_parallel_index_scan_size": "0",
    "max_parallel_workers_per_gather": "2",
}
"""The settings of ``pinned(parallel=True)`` that replace these."""

RELATION_KEYS = ("relpages", "reltuples", "relallvisible", "relallfrozen")
"""The statistics of a relation: https://www.postgresql.org/docs/18/functions-admin.html#FUNCTIONS-ADMIN-STATSMOD."""
_TYPES = {
    "relpages": "integer",
    "reltuples": "real",
    "relallvisible": "integer",
    "relallfrozen": "integer",
    "null_frac": "real",
    "avg_width": "integer",
    "n_distinct": "real",
    "most_common_vals": "text",
    "most_common_freqs": "real[]",
    "histogram_bounds": "text",
    "correlation": "real",
}
STATISTICS_SINCE = PgMajor("18")


@suggesting
@contextlib.contextmanager
def pinned(
    connection: psycopg.Connection[Any],
    *,
    settings: Mapping[str, object] | None = None,
    parallel: bool = False,
    parallel_workers: int | None = None,
    analyze: bool = True,
    statistics: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[None]:
    """Fix the planner's inputs for this connection within the block.

    Afterwards the settings have their old values. The results of ANALYZE and imported statistics stay.

    Parameters:
        connection: the connection whose plans shall be the same in each run.
        settings: more settings, or other values than in :data:`SETTINGS`, under their newest names:
            ``{"enable_hashjoin": False, "work_mem": "64MB"}``.
        parallel: plan small tables in parallel, too: as if workers, and the rows that they pass on, cost nothing.
            Since 9.6.
        parallel_workers: the number of workers that a Gather can plan; 0 for no parallel plans. The default is 2
            with ``parallel``, else 0.
        analyze: run ANALYZE on the whole database first. Outside of a transaction, run VACUUM ANALYZE, so that
            Index Only Scans find all pages visible.
        statistics: import these statistics, in place of those of ANALYZE; since 18. The keys are those of
            ``pg_restore_relation_stats`` and ``pg_restore_attribute_stats``: ``{"orders": {"reltuples":
            1e6, "relpages": 10000}, "orders.kind": {"n_distinct": 4.0, "null_frac": 0.0}}``.

    Raises:
        PlanOptionError: ``statistics`` on a server older than 18.
        psycopg.Error: the server refuses a setting or a statistic.
    """
    version = PgVersion.from_num(connection.info.server_version)
    if statistics and version.major < STATISTICS_SINCE:
        raise PlanOptionError(
            f"PostgreSQL can import statistics since {STATISTICS_SINCE}; this is {version}",
            remedy="fill the tables, or mark the test for the versions that can",
        )
    chosen: dict[str, object] = {
        **SETTINGS,
        "max_parallel_workers_per_gather": 0,
        **(PARALLEL if parallel else {}),
    }
    if parallel_workers is not None:
        chosen["max_parallel_workers_per_gather"] = parallel_workers
    chosen |= settings or {}
    before = {}
    try:
        for newest, value in chosen.items():
            if exists(newest, version):
                name = name_for(newest, version)
                before[name] = _set(connection, name, as_setting(value))
        if analyze:
            _analyze(connection)
        for name, values in (statistics or {}).items():
            _import(connection, name, values)
        yield
    finally:
        if connection.info.transaction_status.name != "INERROR":  # then a rollback restores them
            for name, value in before.items():
                _set(connection, name, value)


def _set(connection: psycopg.Connection[Any], name: str, value: str) -> str:
    """Set a setting for the session, and return its old value."""
    row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
    assert row is not None
    (old,) = row.values() if isinstance(row, dict) else row
    connection.execute("SELECT set_config(%s, %s, false)", (name, value))
    return str(old)


def _analyze(connection: psycopg.Connection[Any]) -> None:
    outside = connection.autocommit and connection.info.transaction_status.name == "IDLE"
    connection.execute("VACUUM ANALYZE" if outside else "ANALYZE")


def _import(connection: psycopg.Connection[Any], name: str, values: Mapping[str, Any]) -> None:
    """Import the statistics of a relation, or of a column named ``relation.column``."""
    of_relation = not values.keys() - set(RELATION_KEYS)
    relation, column = (name, None) if of_relation else name.rsplit(".", 1)
    row = connection.execute(
        "SELECT relnamespace::regnamespace::text AS schema, relname FROM pg_class WHERE oid = %s::regclass",
        (relation,),
    ).fetchone()
    assert row is not None
    schema, relname = row.values() if isinstance(row, dict) else row
    named: dict[str, Any] = {"schemaname": schema, "relname": relname}
    if column is not None:
        named |= {"attname": column, "inherited": False}
    types = {**dict.fromkeys(named, "text"), "inherited": "boolean", **_TYPES}
    arguments = ", ".join(f"'{key}', %s::{types.get(key, 'text')}" for key in (*named, *values))
    function = "pg_restore_relation_stats" if of_relation else "pg_restore_attribute_stats"
    connection.execute(f"SELECT {function}({arguments})", [*named.values(), *values.values()])
