"""Statistics that a server collects: section 4.5.1 of the PostgreSQL 16 verification report."""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"


def report_statistics(lab):
    """Have the session report its statistics now; otherwise it does so within a second."""
    lab.sql("SELECT pg_stat_force_next_flush()")


# --- pg_stat_io --------------------------------------------------------------------------------------------

COUNTED_16 = (
    "reads, read_time, writes, write_time, writebacks, writeback_time, extends, extend_time, op_bytes, hits,"
    " evictions, reuses, fsyncs, fsync_time, stats_reset"
)
COUNTED_18 = (
    "reads, read_bytes, read_time, writes, write_bytes, write_time, writebacks, writeback_time, extends,"
    " extend_bytes, extend_time, hits, evictions, reuses, fsyncs, fsync_time, stats_reset"
)


@behavior(
    "16/pg-stat-io",
    title="pg_stat_io counts I/O by backend type, object and context",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-IO-VIEW",
    since="16",
    isolation="transaction",
    expect={
        "<16": "42P01",
        "16..17": f"backend_type, object, context, {COUNTED_16}",
        ">=18": f"backend_type, object, context, {COUNTED_18}",
    },
    note="18 replaced op_bytes, which was always 8192, by a number of bytes for each kind of operation.",
)
def pg_stat_io(lab):
    if absent := lab.sqlstate("SELECT 1 FROM pg_stat_io"):
        return absent
    return lab.value(
        "SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute"
        " WHERE attrelid = 'pg_stat_io'::regclass AND attnum > 0"
    )


@behavior(
    "16/pg-stat-io-contexts",
    title="pg_stat_io distinguishes bulk operations and VACUUM from other I/O",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-IO-VIEW",
    since="16",
    isolation="transaction",
    expect={
        "<16": "42P01",
        "16..17": {
            "relation": "bulkread, bulkwrite, normal, vacuum",
            "temp relation": "normal",
        },
        ">=18": {
            "relation": "bulkread, bulkwrite, init, normal, vacuum",
            "temp relation": "normal",
            "wal": "init, normal",
        },
    },
    note="18 added the initialization of files, and WAL, which only the view pg_stat_wal had before.",
)
def pg_stat_io_contexts(lab):
    if absent := lab.sqlstate("SELECT 1 FROM pg_stat_io"):
        return absent
    return dict(
        lab.sql(
            "SELECT object, string_agg(DISTINCT context, ', ' ORDER BY context) FROM pg_stat_io GROUP BY object"
        )
    )


@behavior(
    "16/pg-stat-io-hits",
    title="pg_stat_io counts a session's hits in the shared buffers",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-IO-VIEW",
    isolation="cluster",
    expect={"<16": "42P01", ">=16": {"hits at least the table's pages": True, "reuses": None}},
    note=(
        "reuses is for rings of buffers, which only bulk operations and VACUUM have; in the report it is"
        " empty in context normal, too. A session reports its numbers at most once a second, and at once"
        " after pg_stat_force_next_flush()."
    ),
)
def pg_stat_io_hits(lab):
    if absent := lab.sqlstate("SELECT 1 FROM pg_stat_io"):
        return absent
    counted = (
        "SELECT hits, reuses FROM pg_stat_io"
        " WHERE backend_type = 'client backend' AND object = 'relation' AND context = 'normal'"
    )
    lab.sql("CREATE TABLE t_io AS SELECT g AS id, repeat('x', 1000) AS v FROM generate_series(1, 1000) g")
    ((before, _),) = lab.sql(counted)
    lab.sql("SELECT count(*) FROM t_io")
    report_statistics(lab)
    ((after, reuses),) = lab.sql(counted)
    pages = lab.value("SELECT pg_relation_size('t_io') / current_setting('block_size')::int")
    return {"hits at least the table's pages": after - before >= pages, "reuses": reuses}


# --- pg_stat_*_tables and pg_stat_*_indexes ----------------------------------------------------------------


@behavior(
    "16/last-seq-scan",
    title="pg_stat_user_tables shows the time of the last sequential scan",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-ALL-TABLES-VIEW",
    expect={
        "<16": "42703",
        ">=16": {"never scanned": None, "scanned within the last minute": True},
    },
)
def last_seq_scan(lab):
    scanned = "SELECT last_seq_scan > now() - interval '1 minute' FROM pg_stat_user_tables"
    if absent := lab.sqlstate(scanned):
        return absent
    lab.sql("CREATE TABLE t_scan (id int)")
    before = lab.value(scanned)
    lab.sql("SELECT * FROM t_scan")
    report_statistics(lab)
    return {"never scanned": before, "scanned within the last minute": lab.value(scanned)}


@behavior(
    "16/last-idx-scan",
    title="Statistics views show the time of the last index scan of a table and of each index",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-ALL-INDEXES-VIEW",
    expect={
        "<16": "42703",
        ">=16": {"table": True, "t_scan_pkey": True, "t_scan_unused": False},
    },
    note="It distinguishes an index that no query has used for a year from one that was used yesterday.",
)
def last_idx_scan(lab):
    if absent := lab.sqlstate("SELECT last_idx_scan FROM pg_stat_user_tables"):
        return absent
    lab.sql("CREATE TABLE t_scan (id int PRIMARY KEY, v text)")
    lab.sql("CREATE INDEX t_scan_unused ON t_scan (v)")
    lab.set(enable_seqscan=False)
    lab.sql("SELECT * FROM t_scan WHERE id = 1")
    report_statistics(lab)
    table = lab.value("SELECT last_idx_scan IS NOT NULL FROM pg_stat_user_tables")
    indexes = lab.sql("SELECT indexrelname, last_idx_scan IS NOT NULL FROM pg_stat_user_indexes")
    return {"table": table, **dict(indexes)}


def updates(lab, fillfactor):
    """Count the new row versions that an UPDATE of 100 rows of 400 bytes put on another page."""
    lab.sql(f"CREATE TABLE t_{fillfactor} (id int, v text) WITH (fillfactor = {fillfactor})")
    lab.sql(f"INSERT INTO t_{fillfactor} SELECT g, repeat('x', 400) FROM generate_series(1, 100) g")
    lab.sql(f"UPDATE t_{fillfactor} SET v = repeat('y', 400)")
    report_statistics(lab)
    ((updated, hot, newpage),) = lab.sql(
        "SELECT n_tup_upd, n_tup_hot_upd, n_tup_newpage_upd FROM pg_stat_user_tables"
        f" WHERE relname = 't_{fillfactor}'"
    )
    return {"updated": updated, "same page (HOT)": hot, "new page": newpage}


@behavior(
    "16/n-tup-newpage-upd",
    title="pg_stat_user_tables counts updates that put the new row version on another page",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-PG-STAT-ALL-TABLES-VIEW",
    expect={
        "<16": "42703",
        ">=16": {
            "full pages": {"updated": 100, "same page (HOT)": 0, "new page": 100},
            "fillfactor 40": {"updated": 100, "same page (HOT)": 100, "new page": 0},
        },
    },
)
def n_tup_newpage_upd(lab):
    if absent := lab.sqlstate("SELECT n_tup_newpage_upd FROM pg_stat_user_tables"):
        return absent
    return {"full pages": updates(lab, 100), "fillfactor 40": updates(lab, 40)}


# --- pg_stat_get_backend_subxact ---------------------------------------------------------------------------

OWN_SUBTRANSACTIONS = (
    "SELECT s.subxact_count, s.subxact_overflowed"
    " FROM pg_stat_get_backend_idset() backend, pg_stat_get_backend_subxact(backend) s"
    " WHERE pg_stat_get_backend_pid(backend) = pg_backend_pid()"
)


def subtransactions(lab, count):
    """Return the server's counters for a session with so many open savepoints, each of which writes something."""
    lab.sql("BEGIN")
    lab.sql("SAVEPOINT s; INSERT INTO t_subxact VALUES (1);" * count)
    seen = lab.sql(OWN_SUBTRANSACTIONS)[0]
    lab.sql("ROLLBACK")
    return seen


@behavior(
    "16/backend-subxact",
    title="pg_stat_get_backend_subxact shows whether a session's subtransactions overflow their cache",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-STATS-FUNCTIONS",
    expect={
        "<16": "42883",
        ">=16": {"none": [0, False], "64 savepoints": [64, False], "65 savepoints": [64, True]},
    },
    note=(
        "The values are the number in the cache, and whether there are more. The report needs pgbench with"
        " five"
        " clients; one session with 65 savepoints that write something overflows as well."
    ),
)
def backend_subxact(lab):
    if absent := lab.sqlstate("SELECT pg_stat_get_backend_subxact(1)"):
        return absent
    lab.sql("CREATE TABLE t_subxact (id int)")
    return {
        "none": subtransactions(lab, 0),
        "64 savepoints": subtransactions(lab, 64),
        "65 savepoints": subtransactions(lab, 65),
    }


@behavior(
    "16/backend-subxact-plpgsql",
    title="Each nested block with EXCEPTION is a subtransaction",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-STATS-FUNCTIONS",
    expect={
        "<16": "42883",
        ">=16": {"f_subtx(1, 63)": "64, overflowed: f", "f_subtx(1, 64)": "64, overflowed: t"},
    },
    note="The report's recursive function; the innermost call returns the server's counters.",
)
def backend_subxact_plpgsql(lab):
    if absent := lab.sqlstate("SELECT pg_stat_get_backend_subxact(1)"):
        return absent
    lab.sql("CREATE TABLE t_subtx_log (id int, cnt int, ts timestamp)")
    lab.sql("INSERT INTO t_subtx_log SELECT g, 0, NULL FROM generate_series(1, 100) g")
    lab.sql(
        f"""
        CREATE FUNCTION f_subtx(i int, c int) RETURNS text LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE t_subtx_log SET cnt = c, ts = now() WHERE id = i;
          IF c > 0 THEN RETURN f_subtx(i, c - 1); END IF;
          RETURN (SELECT subxact_count || ', overflowed: ' || left(subxact_overflowed::text, 1)
                  FROM ({OWN_SUBTRANSACTIONS}) own);
        EXCEPTION WHEN division_by_zero THEN RETURN 'not reached';
        END $$
        """
    )
    return {call: lab.value(f"SELECT {call}") for call in ("f_subtx(1, 63)", "f_subtx(1, 64)")}


@behavior(
    "16/backend-subxact-id",
    title="pg_stat_get_backend_subxact takes a backend's id, not its process id",
    area="monitoring",
    source=f"{REPORT}, 4.5.1",
    manual="monitoring-stats#MONITORING-STATS-FUNCTIONS",
    isolation="transaction",
    expect={"<16": "42883", ">=16": {"subxact_count": None, "subxact_overflowed": None}},
    note="As the report says. A process id is not an error: the function returns a row of NULLs.",
)
def backend_subxact_id(lab):
    if absent := lab.sqlstate("SELECT pg_stat_get_backend_subxact(1)"):
        return absent
    ((count, overflowed),) = lab.sql("SELECT * FROM pg_stat_get_backend_subxact(pg_backend_pid())")
    return {"subxact_count": count, "subxact_overflowed": overflowed}
