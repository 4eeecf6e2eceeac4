"""Replication slots, from part 2 of the PostgreSQL 9.4 verification report."""

from pytest_pgfeatures import NotYet, VersionSet, behavior
from pytest_pgfeatures.affects import Column

REPORT = "PostgreSQL 9.4 verification report"
REPLICA = {"wal_level": "replica"}
LOGICAL = {"wal_level": "logical"}
WAL_AND_LSN = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
TEST_DECODING = {"contrib:test_decoding": ">=9.4"}

# --- Physical slots ----------------------------------------------------------------------------------------


@behavior(
    "9.4/physical-slot",
    title="A physical replication slot records what a standby needs, even while none is connected",
    area="replication",
    source=f"{REPORT}, replication slots (1)",
    manual="warm-standby#STREAMING-REPLICATION-SLOTS",
    settings=REPLICA,
    isolation="cluster",
    expect={
        "<9.4": "42883",
        ">=9.4": {"slot_type": "physical", "active": False, "restart_lsn": None},
    },
    note="A new slot keeps no WAL until a standby has used it. From 9.6 on, it can reserve WAL at its creation.",
)
def physical_slot(lab):
    if absent := lab.sqlstate("SELECT pg_create_physical_replication_slot('s')"):
        return absent
    ((kind, active, position),) = lab.sql(
        "SELECT slot_type, active, restart_lsn::text FROM pg_replication_slots"
    )
    return {"slot_type": kind, "active": active, "restart_lsn": position}


@behavior(
    "9.6/physical-slot-reserve",
    title="A physical replication slot can keep WAL from its creation on",
    area="replication",
    source=f"{REPORT}, replication slots (1)",
    manual="functions-admin#FUNCTIONS-REPLICATION",
    settings=REPLICA,
    isolation="cluster",
    expect={"<9.6": "42883", ">=9.6": True},
    note="The report's slots, of 9.4, can't do it yet.",
)
def physical_slot_reserve(lab):
    if absent := lab.sqlstate("SELECT pg_create_physical_replication_slot('s', true)"):
        return absent
    return lab.value("SELECT restart_lsn IS NOT NULL FROM pg_replication_slots")


def wal_function(lab, name):
    """Return a function's name on this server: before 10, WAL was called xlog, and an LSN location."""
    return name if lab.version in WAL_AND_LSN else name.replace("wal", "xlog").replace("lsn", "location")


def wal_file(lab):
    """Return the path of the current WAL file."""
    lab.sql("CREATE TABLE t_wal ()")  # else the position may be the very end of the previous file
    current = wal_function(lab, "pg_current_wal_lsn")
    name = lab.value(f"SELECT {wal_function(lab, 'pg_walfile_name')}({current}())")
    return lab.cluster.datadir / ("pg_wal" if lab.version in WAL_AND_LSN else "pg_xlog") / name


def use_up_wal(lab):
    """Fill and close WAL files, with checkpoints after which older ones are not needed for recovery."""
    if lab.sqlstate("SHOW wal_keep_segments") is None:  # the server may be configured to keep some
        lab.cluster.append_conf(wal_keep_segments=0)
        lab.cluster.reload()
        lab.session("after the reload").close()  # once it is accepted, all processes have reloaded
    for number in range(4):
        lab.sql(f"CREATE TABLE t_wal_{number} ()")
        lab.sql(f"SELECT {wal_function(lab, 'pg_switch_wal')}()")
        lab.sql("CHECKPOINT")
        lab.sql(f"DROP TABLE t_wal_{number}")


@behavior(
    "9.4/slot-keeps-wal",
    title="A slot keeps the WAL that a standby has missed while it was down",
    area="replication",
    source=f"{REPORT}, replication slots (2)",
    manual="warm-standby#STREAMING-REPLICATION-SLOTS",
    settings=REPLICA,
    isolation="cluster",
    expect={
        "<9.4": {"WAL": "removed", "standby": "can't go on"},
        ">=9.4": {"WAL": "kept", "standby": "catches up"},
    },
    note="Without a slot, one guesses how much WAL to keep: wal_keep_segments, from 13 on wal_keep_size.",
)
def slot_keeps_wal(lab):
    standby = lab.standby()
    lab.wait_for_catchup(standby)
    standby.cluster.stop()
    needed = wal_file(lab)
    use_up_wal(lab)
    standby.cluster.start()
    if needed.exists():
        lab.wait_for_catchup(standby)
        return {"WAL": "kept", "standby": "catches up"}
    standby.cluster.wait_for_log(r"requested WAL segment \w+ has already been removed")
    return {"WAL": "removed", "standby": "can't go on"}


@behavior(
    "9.4/slot-dropped",
    title="A slot keeps WAL until the slot is dropped",
    area="replication",
    source=f"{REPORT}, replication slots (1)",
    manual="warm-standby#STREAMING-REPLICATION-SLOTS",
    settings=LOGICAL,
    needs=TEST_DECODING,
    isolation="cluster",
    expect={"<9.4": "42883", ">=9.4": {"slot": "kept", "dropped": "removed"}},
    note="So an abandoned slot fills the disk. This one is logical: it keeps WAL from its creation on.",
)
def slot_dropped(lab):
    needed = wal_file(lab)
    if absent := create_logical_slot(lab):
        return absent
    kept = []
    use_up_wal(lab)
    kept.append(needed.exists())
    lab.sql("SELECT pg_drop_replication_slot('logi_slot')")
    use_up_wal(lab)
    kept.append(needed.exists())
    return dict(zip(("slot", "dropped"), ("kept" if each else "removed" for each in kept), strict=True))


def delete_and_vacuum(lab, table):
    """Delete all rows of a table, and VACUUM it. VACUUM truncates the table if no one needs the rows."""
    lab.sql(f"DELETE FROM {table}")
    lab.sql(f"VACUUM {table}")
    return "kept" if lab.value(f"SELECT pg_relation_size('{table}')") else "removed"


@behavior(
    "9.4/slot-holds-back-vacuum",
    title="A slot keeps the rows that a standby may still read, even while the standby is down",
    area="replication",
    source=f"{REPORT}, replication slots (2)",
    manual="warm-standby#STREAMING-REPLICATION-SLOTS",
    settings=REPLICA,
    isolation="cluster",
    expect={"<9.4": "removed", ">=9.4": "kept"},
    note=(
        "With hot_standby_feedback. 9.3 knows what a standby needs only while the standby is connected. Its"
        " vacuum_defer_cleanup_age, which 16 removed, is a guess."
    ),
)
def slot_holds_back_vacuum(lab):
    lab.sql("CREATE TABLE t_read AS SELECT generate_series(1, 100) AS id")
    standby = lab.standby(settings={"hot_standby_feedback": "on", "wal_receiver_status_interval": "1s"})
    lab.wait_for_catchup(standby)
    if lab.sqlstate("SELECT 1 FROM pg_replication_slots") is None:
        lab.cluster.poll_query_until("SELECT xmin IS NOT NULL FROM pg_replication_slots")
    standby.cluster.stop()
    return delete_and_vacuum(lab, "t_read")


@behavior(
    "9.4/replication-conflict",
    title="A query on a standby is canceled when VACUUM on the primary removes what it reads",
    area="replication",
    source=f"{REPORT}, replication slots (2)",
    manual="hot-standby#HOT-STANDBY-CONFLICT",
    settings=REPLICA,
    since="9.4",
    isolation="cluster",
    expect={"all": {"before": 100, "after": "40001"}},
    note="Slots with hot_standby_feedback prevent this conflict. Here hot_standby_feedback is off.",
)
def replication_conflict(lab):
    lab.sql("CREATE TABLE t_read AS SELECT generate_series(1, 100) AS id")
    standby = lab.standby(settings={"max_standby_streaming_delay": "0"})
    lab.wait_for_catchup(standby)
    standby.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
    before = standby.value("SELECT count(*)::int FROM t_read")
    delete_and_vacuum(lab, "t_read")
    lab.wait_for_catchup(standby)
    return {"before": before, "after": standby.sqlstate("SELECT count(*) FROM t_read")}


# --- Logical slots -----------------------------------------------------------------------------------------


def create_logical_slot(lab):
    """Create the report's slot.

    Returns:
        None, or the SQLSTATE of a server that has no slots.
    """
    return lab.sqlstate("SELECT pg_create_logical_replication_slot('logi_slot', 'test_decoding')")


CHANGES = "SELECT data FROM pg_logical_slot_{verb}_changes('logi_slot', NULL, NULL, 'include-xids', '0')"


def changes(lab, verb="get"):
    return [data for (data,) in lab.sql(CHANGES.format(verb=verb))]


@behavior(
    "9.4/logical-slot",
    title="A logical replication slot returns the changes in WAL, decoded",
    area="replication",
    source=f"{REPORT}, replication slots (3)",
    manual="logicaldecoding-example",
    settings=LOGICAL,
    needs=TEST_DECODING,
    isolation="cluster",
    expect={
        "<9.4": "42883",
        ">=9.4": [
            "BEGIN",
            "COMMIT",
            "BEGIN",
            "table public.t_test: INSERT: id[integer]:1 v[text]:'c4ca4'",
            "table public.t_test: INSERT: id[integer]:2 v[text]:'c81e7'",
            "table public.t_test: INSERT: id[integer]:3 v[text]:'eccbc'",
            "table public.t_test: INSERT: id[integer]:4 v[text]:'a87ff'",
            "table public.t_test: INSERT: id[integer]:5 v[text]:'e4da3'",
            "COMMIT",
            "BEGIN",
            "table public.t_test: UPDATE: id[integer]:3 v[text]:'XXX'",
            "COMMIT",
        ],
    },
    note="The report's output without its transaction ids. The first transaction, a CREATE TABLE, shows nothing.",
)
def logical_slot(lab):
    if absent := create_logical_slot(lab):
        return absent
    lab.sql("CREATE TABLE t_test (id int PRIMARY KEY, v text)")
    lab.sql("INSERT INTO t_test SELECT g, left(md5(g::text), 5) FROM generate_series(1, 5) AS g")
    lab.sql("UPDATE t_test SET v = 'XXX' WHERE id = 3")
    return changes(lab)


@behavior(
    "9.4/logical-slot-consumed",
    title="A logical slot returns a change once, unless the client only peeks",
    area="replication",
    source=f"{REPORT}, replication slots (3)",
    manual="functions-admin#FUNCTIONS-REPLICATION",
    settings=LOGICAL,
    needs=TEST_DECODING,
    isolation="cluster",
    expect={"<9.4": "42883", ">=9.4": {"peek": 3, "get": 3, "get again": 0}},
    note="The number of lines that one transaction with one INSERT gives.",
)
def logical_slot_consumed(lab):
    lab.sql("CREATE TABLE t_test (id int)")
    if absent := create_logical_slot(lab):
        return absent
    lab.sql("INSERT INTO t_test VALUES (1)")
    return {
        "peek": len(changes(lab, "peek")),
        "get": len(changes(lab)),
        "get again": len(changes(lab)),
    }


@behavior(
    "10/logical-slot-columns",
    title="Positions in WAL are called lsn instead of location",
    area="replication",
    source=f"{REPORT}, replication slots (3)",
    release_note="10.4",
    manual="functions-admin#FUNCTIONS-REPLICATION",
    kind="incompatibility",
    since="10",
    settings=LOGICAL,
    needs=TEST_DECODING,
    isolation="cluster",
    expect={
        "<9.4": NotYet("42883"),
        "9.4..9.6": ["location", "xid", "data"],
        ">=10": ["lsn", "xid", "data"],
    },
    note="The columns of pg_logical_slot_get_changes; the report shows those of 9.4.",
    remedy="Name the column lsn. Functions with xlog in their names have wal there instead.",
    affects=[
        *(
            Column(f"pg_logical_slot_{function}_changes", "location")
            for function in ("get", "peek", "get_binary", "peek_binary")
        )
    ],
)
def logical_slot_columns(lab):
    if absent := create_logical_slot(lab):
        return absent
    lab.sql("SELECT * FROM pg_logical_slot_get_changes('logi_slot', NULL, NULL)")
    return list(lab.transcript.entries[-1].columns)


@behavior(
    "9.4/logical-slot-holds-back-vacuum",
    title="A logical slot keeps the old rows of catalogs, not those of tables",
    area="replication",
    source=f"{REPORT}, replication slots (1)",
    manual="logicaldecoding-explanation#LOGICALDECODING-REPLICATION-SLOTS",
    settings=LOGICAL,
    needs=TEST_DECODING,
    isolation="cluster",
    expect={"<9.4": "42883", ">=9.4": {"table": "removed", "catalog table": "kept"}},
    note="With user_catalog_table, the server treats a table as a catalog.",
)
def logical_slot_holds_back_vacuum(lab):
    if absent := create_logical_slot(lab):
        return absent
    lab.sql("CREATE TABLE t_plain AS SELECT generate_series(1, 100) AS id")
    lab.sql("CREATE TABLE t_catalog (id int) WITH (user_catalog_table = true)")
    lab.sql("INSERT INTO t_catalog SELECT generate_series(1, 100)")
    return {
        "table": delete_and_vacuum(lab, "t_plain"),
        "catalog table": delete_and_vacuum(lab, "t_catalog"),
    }
