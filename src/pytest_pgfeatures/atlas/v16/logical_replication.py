"""Logical replication: sections 4.3.1, 4.3.3 and 4.3.4 of the PostgreSQL 16 verification report.

Section 4.3.2 is in ``streaming``. The lab's own database is the publisher. The report measures time. These
behaviors show the causes: the rows that are read, and the data that is sent.
"""

from pytest_pgfeatures import NotYet, VersionSet, behavior
from pytest_pgfeatures.affects import ParseNode

REPORT = "PostgreSQL 16 verification report"
LOGICAL = {"wal_level": "logical"}
# A standby copies all databases of its primary, so this server has few. Its standbys are shared.
REPLICATED = LOGICAL | {"hot_standby_feedback": "on"}


def subscribe(lab, table, options=""):
    """Create another server, with the same table, that subscribes to the publication pub of the lab's database.

    Return the server, and the SQLSTATE with which it refused CREATE SUBSCRIPTION, or None.
    """
    subscriber = lab.peer("subscriber")
    subscriber.sql(table)
    refused = subscriber.sqlstate(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub {options}")
    return subscriber, refused


def sender_setting(lab, name, value):
    """Set a parameter for connections to the lab's database, such as that of a subscription's walsender.

    The subscription's connection string could set it in its options, but 16.0 and 17.0 lose those.
    """
    lab.sql(f"ALTER DATABASE {lab.value('SELECT quote_ident(current_database())')} SET {name} = '{value}'")


# --- 4.3.1 Publication on a standby ------------------------------------------------------------------------


def while_snapshots_are_logged(lab, work):
    """Do ``work`` while the primary logs snapshots of transactions: a new slot on a standby waits for one."""
    from concurrent.futures import ThreadPoolExecutor, wait

    with ThreadPoolExecutor(1) as executor:
        working = executor.submit(work)
        while wait([working], timeout=0.1).not_done:
            lab.sql("SELECT pg_log_standby_snapshot()")
        return working.result()


@behavior(
    "16/publication-on-standby",
    title="A subscription can take a publication from a physical standby",
    area="replication",
    source=f"{REPORT}, 4.3.1",
    manual="logicaldecoding-explanation#LOGICALDECODING-REPLICATION-SLOTS",
    since="16",
    expect={
        "<10": "42601",
        "10..13": "XX000",
        "14..15": "08P01",
        ">=16": {"copied": ["foo"], "then": ["foo", "bar"], "slots on the standby": ["sub"]},
    },
    settings=REPLICATED,
    note=(
        "The publication is made on the primary. CREATE SUBSCRIPTION, and after it the copy of each table, waits"
        " for a snapshot in the WAL: pg_log_standby_snapshot() on the primary writes one. Up to 15 the standby"
        " refuses the slot; before 10 there are no publications."
    ),
)
def publication_on_standby(lab):
    table = "CREATE TABLE t1 (id int PRIMARY KEY, val text)"
    lab.sql(table)
    lab.sql("INSERT INTO t1 VALUES (1, 'foo')")
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR ALL TABLES"):
        return refused
    standby = lab.shared_standby("standby1")
    subscriber = lab.peer("subscriber")
    subscriber.sql(table)
    lab.wait_for_catchup(standby)
    create = f"CREATE SUBSCRIPTION sub CONNECTION '{standby.dsn}' PUBLICATION pub"
    if lab.version in VersionSet("<16"):
        return subscriber.sqlstate(create)
    while_snapshots_are_logged(lab, lambda: subscriber.sql(create))
    while_snapshots_are_logged(lab, subscriber.wait_for_subscription_sync)
    values = "SELECT array_agg(val ORDER BY id) FROM t1"
    copied = subscriber.value(values)
    lab.sql("INSERT INTO t1 VALUES (2, 'bar')")
    lab.wait_for_catchup(standby)
    standby.wait_for_catchup("sub")
    slots = "SELECT slot_name::text FROM pg_replication_slots WHERE slot_type = 'logical'"
    found = {
        "copied": copied,
        "then": subscriber.value(values),
        "slots on the standby": [name for (name,) in standby.sql(slots)],
    }
    subscriber.sql("DROP SUBSCRIPTION sub")  # and with it the slot: other behaviors use the standby, too
    return found


@behavior(
    "16/log-standby-snapshot",
    title="pg_log_standby_snapshot writes a snapshot to the WAL, on a primary only",
    area="replication",
    source=f"{REPORT}, 4.3.1",
    manual="functions-admin#FUNCTIONS-SNAPSHOT-SYNCHRONIZATION",
    expect={
        "<16": {"primary": "42883", "standby": "42883"},
        ">=16": {"primary": None, "standby": "55000"},
    },
    settings=REPLICATED,
)
def log_standby_snapshot(lab):
    standby = lab.shared_standby("standby1")
    query = "SELECT pg_log_standby_snapshot()"
    return {"primary": lab.sqlstate(query), "standby": standby.sqlstate(query)}


# --- 4.3.3 Indexes other than the primary key --------------------------------------------------------------

INDEXES = {
    "none": "",
    "primary key": "ALTER TABLE {} ADD PRIMARY KEY (id)",
    "unique": "CREATE UNIQUE INDEX ON {} (id)",
    "btree": "CREATE INDEX ON {} (id)",
    "two columns": "CREATE INDEX ON {} (id, val)",
    "hash": "CREATE INDEX ON {} USING hash (id)",
    "partial": "CREATE INDEX ON {} (id) WHERE id > 0",
    "expression": "CREATE INDEX ON {} ((id + 0))",
}


@behavior(
    "16/replica-identity-full-index",
    title="With REPLICA IDENTITY FULL, the subscriber finds rows by an index that isn't a key",
    area="replication",
    source=f"{REPORT}, 4.3.3",
    manual="logical-replication-publication",
    since="16",
    expect={
        "<10": "42601",
        "10..15": ["primary key"],
        "16": ["primary key", "unique", "btree", "two columns"],
        ">=17": ["primary key", "unique", "btree", "two columns", "hash"],
    },
    settings=LOGICAL,
    note=(
        "The values are the kinds of index on the subscriber that were used to apply 20 UPDATEs. The report"
        " tries a"
        " btree index; hash indexes followed in 17. Partial indexes and those on an expression alone are not used."
    ),
)
def replica_identity_full_index(lab):
    tables = {kind: f"t_{kind.replace(' ', '_')}" for kind in INDEXES}
    if refused := lab.sqlstate("CREATE PUBLICATION pub"):
        return refused
    subscriber = lab.peer("subscriber")
    for kind, table in tables.items():
        for node in (lab, subscriber):
            node.sql(
                f"CREATE TABLE {table} AS SELECT g AS id, 'old'::text AS val FROM generate_series(1, 100) g"
            )
        lab.sql(f"ALTER TABLE {table} REPLICA IDENTITY FULL")
        if INDEXES[kind]:
            subscriber.sql(INDEXES[kind].format(table))
    lab.sql(f"ALTER PUBLICATION pub SET TABLE {', '.join(tables.values())}")
    subscriber.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub WITH (copy_data = false)")
    for table in tables.values():
        lab.sql(f"UPDATE {table} SET val = 'new' WHERE id <= 20")
    lab.wait_for_catchup("sub")
    # The apply worker reports its statistics when it ends.
    subscriber.sql("ALTER SUBSCRIPTION sub DISABLE")
    subscriber.poll_query_until(
        "SELECT bool_and(n_tup_upd = 20 AND seq_scan + coalesce(idx_scan, 0) >= 20) FROM pg_stat_user_tables"
    )
    scans = dict(subscriber.sql("SELECT relname::text, coalesce(idx_scan, 0) FROM pg_stat_user_tables"))
    return [kind for kind, table in tables.items() if scans[table] >= 20]


# --- 4.3.4 Initial copy in binary format -------------------------------------------------------------------


def copied_in(lab, table, since):
    """Return the format in which the subscriber requested a table's copy, from the publisher's log."""
    commands = [line for line in lab.cluster.log.text(since).splitlines() if f"COPY public.{table}" in line]
    return ["binary" if "FORMAT binary" in command else "text" for command in commands]


@behavior(
    "16/binary-initial-copy",
    title="A subscription with binary = on copies in binary format",
    area="replication",
    source=f"{REPORT}, 4.3.4",
    manual="sql-createsubscription",
    since="16",
    expect={"<14": "42601", "14..15": ["text"], ">=16": ["binary"]},
    settings=LOGICAL,
    note="In 14 and 15, the option applies only to changes after the initial copy.",
)
def binary_initial_copy(lab):
    table = "CREATE TABLE t4 (id int PRIMARY KEY, b bytea, ts timestamp)"
    lab.sql(table)
    lab.sql("INSERT INTO t4 SELECT g, 'abc', '2023-07-21' FROM generate_series(1, 10) g")
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t4"):
        return refused
    since = lab.cluster.log.position()
    sender_setting(lab, "log_statement", "all")
    subscriber, refused = subscribe(lab, table, "WITH (binary = on)")
    if refused:
        return refused
    subscriber.wait_for_subscription_sync(lab, "sub")
    return copied_in(lab, "t4", since)


@behavior(
    "16/binary-copy-type-mismatch",
    title="With binary = on, the initial copy fails if the column's type differs",
    area="replication",
    source=f"{REPORT}, 4.3.4",
    manual="sql-createsubscription",
    kind="incompatibility",
    since="16",
    remedy="Give the column the same type on both sides, or copy with binary = off and turn it on afterwards.",
    expect={"<14": NotYet("42601"), "14..15": {"copied": 10}, ">=16": {"copied": 0}},
    settings=LOGICAL,
    note="int on the publisher, bigint on the subscriber. In 14 and 15 the first change after the copy fails.",
    affects=ParseNode(
        "CreateSubscriptionStmt", options=r"\bbinary\b", may="if a column has another type on the other side"
    ),
)
def binary_copy_type_mismatch(lab):
    lab.sql("CREATE TABLE t4 (id int PRIMARY KEY)")
    lab.sql("INSERT INTO t4 SELECT generate_series(1, 10)")
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t4"):
        return refused
    subscriber, refused = subscribe(lab, "CREATE TABLE t4 (id bigint PRIMARY KEY)", "WITH (binary = on)")
    if refused:
        return refused
    if lab.version in VersionSet("<16"):
        subscriber.wait_for_subscription_sync()
        lab.sql("INSERT INTO t4 VALUES (11)")
    subscriber.wait_for_log("insufficient data left in message")
    return {"copied": subscriber.value("SELECT count(*) FROM t4")}
