"""Logical replication: sections 4.3.1 to 4.3.4 of the PostgreSQL 16 verification report.

The lab's own database is the publisher. What the report measures in time is here what causes it: who applies a
transaction and when, which rows are looked at, what is sent.
"""

from concurrent.futures import ThreadPoolExecutor, wait

from pytest_pgfeatures import NotYet, VersionSet, behavior

REPORT = "PostgreSQL 16 verification report"
LOGICAL = {"wal_level": "logical"}


def subscribe(lab, table, options=""):
    """Another server, with the same table, that subscribes to the publication pub of the lab's database.

    Returns it, and the SQLSTATE with which it refused CREATE SUBSCRIPTION, or None.
    """
    subscriber = lab.create_pg("subscriber")
    subscriber.sql(table)
    refused = subscriber.sqlstate(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION pub {options}")
    return subscriber, refused


def sender_setting(lab, name, value):
    """Set something for those who connect to the lab's database: what sends to a subscriber is one of them.

    The subscription's connection string could have it in its options, but 16.0 and 17.0 lose those.
    """
    lab.sql(f"ALTER DATABASE {lab.value('SELECT quote_ident(current_database())')} SET {name} = '{value}'")


# --- 4.3.1 Publication on a standby ------------------------------------------------------------------------


def while_snapshots_are_logged(lab, work):
    """Do something while the primary logs snapshots of what runs there: a slot on a standby waits for one."""
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
    settings=LOGICAL,
    isolation="cluster",
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
    standby = lab.standby(settings={"hot_standby_feedback": "on"})
    subscriber = lab.create_pg("subscriber")
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
    return {
        "copied": copied,
        "then": subscriber.value(values),
        "slots on the standby": [name for (name,) in standby.sql(slots)],
    }


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
    settings=LOGICAL,
    isolation="cluster",
)
def log_standby_snapshot(lab):
    standby = lab.standby()
    query = "SELECT pg_log_standby_snapshot()"
    return {"primary": lab.sqlstate(query), "standby": standby.sqlstate(query)}


# --- 4.3.2 Applying transactions in parallel ---------------------------------------------------------------


@behavior(
    "16/streaming-option",
    title="The subscription option streaming takes parallel beside off and on",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    since="16",
    expect={
        "<14": {"off": "42601", "on": "42601", "parallel": "42601", "foo": "42601"},
        "14..15": {"off": None, "on": None, "parallel": "42601", "foo": "42601"},
        ">=16": {"off": None, "on": None, "parallel": None, "foo": "42601"},
    },
)
def streaming_option(lab):
    found = {}
    for value in ("off", "on", "parallel", "foo"):
        found[value] = lab.sqlstate(
            f"CREATE SUBSCRIPTION sub_{value} CONNECTION '' PUBLICATION pub"
            f" WITH (connect = false, streaming = {value})"
        )
    return found


# The subscriptions of all databases are in one catalog.
THIS_DATABASE = "SELECT oid FROM pg_database WHERE datname = current_database()"


@behavior(
    "18/streaming-default",
    title="Subscriptions apply large transactions in parallel unless told otherwise",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    since="18",
    kind="incompatibility",
    remedy="Say streaming = off in CREATE SUBSCRIPTION if transactions shall be sent when they commit.",
    expect={"<10": NotYet("42601"), "10..13": NotYet("42703"), "14..17": "off", ">=18": "parallel"},
    note="The report has off as the default, which it was in 16 and 17.",
)
def streaming_default(lab):
    create = "CREATE SUBSCRIPTION sub CONNECTION '' PUBLICATION pub WITH (connect = false)"
    if refused := lab.sqlstate(create):
        return refused
    query = f"SELECT substream::text FROM pg_subscription WHERE subdbid = ({THIS_DATABASE})"
    if refused := lab.sqlstate(query):
        return refused
    return {"f": "off", "false": "off", "t": "on", "true": "on", "p": "parallel"}[lab.value(query)]


BIG = "CREATE TABLE t1 (id int PRIMARY KEY, val text)"
# With the least memory for decoding, some hundred changes are a large transaction.
LITTLE_MEMORY = ("logical_decoding_work_mem", "64kB")
APPLIED = "SELECT pg_relation_size('t1') > 0"
PARALLEL_WORKERS = (
    "SELECT count(*) FROM pg_stat_subscription s WHERE row_to_json(s)->>'leader_pid' IS NOT NULL"
)
IN_A_FILE = "SELECT count(*) > 0 FROM pg_ls_dir('base/pgsql_tmp', true, false)"


def insert_many(session, first):
    """Begin a transaction that is larger than the memory for decoding."""
    session.sql("BEGIN")
    session.sql(f"INSERT INTO t1 SELECT g, md5(g::text) FROM generate_series({first}, {first} + 2999) g")


def large_transaction(lab, streaming):
    """Where a large transaction is before it commits; or the SQLSTATE with which the option is refused."""
    lab.sql(BIG)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t1"):
        return refused
    # Up to 14 the statistics of a dropped slot are seen for a while: no two behaviors share a slot's name.
    slot = f"streaming_{streaming}"
    options = f"WITH (copy_data = false, slot_name = {slot}, streaming = {streaming})"
    if lab.version in VersionSet(">=14"):
        sender_setting(lab, *LITTLE_MEMORY)
    subscriber, refused = subscribe(lab, BIG, options)
    if refused:
        return refused
    lab.wait_for_catchup("sub")
    insert_many(writer := lab.session("writer"), 1)
    counts = f"FROM pg_stat_replication_slots WHERE slot_name = '{slot}'"
    lab.poll_query_until(f"SELECT stream_txns + spill_txns > 0 {counts}")
    streamed = lab.value(f"SELECT stream_txns > 0 {counts}")
    if streamed:
        subscriber.poll_query_until(f"SELECT ({APPLIED}) OR ({IN_A_FILE})")
    applied, visible = subscriber.value(APPLIED), subscriber.value("SELECT count(*) FROM t1")
    workers = subscriber.value(PARALLEL_WORKERS)
    writer.sql("COMMIT")
    lab.wait_for_catchup("sub")
    where = "in the table" if applied else "in a file"
    return {
        "before the commit": f"on the subscriber, {where}" if streamed else "on the publisher",
        "parallel workers": workers,
        "visible": [visible, subscriber.value("SELECT count(*) FROM t1")],
    }


@behavior(
    "14/streaming-off",
    title="Without streaming a large transaction is sent when it commits",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    expect={
        "<14": "42601",
        ">=14": {"before the commit": "on the publisher", "parallel workers": 0, "visible": [0, 3000]},
    },
    settings=LOGICAL,
    note="Visible are the subscriber's rows before and after the commit. Up to 13 there is no such option.",
)
def streaming_off(lab):
    return large_transaction(lab, "off")


@behavior(
    "14/streaming-on",
    title="streaming = on sends a large transaction as it goes, and applies it when it commits",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    expect={
        "<14": "42601",
        ">=14": {
            "before the commit": "on the subscriber, in a file",
            "parallel workers": 0,
            "visible": [0, 3000],
        },
    },
    settings=LOGICAL,
)
def streaming_on(lab):
    return large_transaction(lab, "on")


@behavior(
    "16/streaming-parallel",
    title="streaming = parallel applies a large transaction as it goes, in a parallel worker",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    expect={
        "<16": "42601",
        ">=16": {
            "before the commit": "on the subscriber, in the table",
            "parallel workers": 1,
            "visible": [0, 3000],
        },
    },
    settings=LOGICAL,
)
def streaming_parallel(lab):
    return large_transaction(lab, "parallel")


@behavior(
    "16/parallel-apply-limit",
    title="max_parallel_apply_workers_per_subscription, 2 by default, limits the parallel workers",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="runtime-config-replication#GUC-MAX-PARALLEL-APPLY-WORKERS-PER-SUBSCRIPTION",
    expect={
        "<16": "42601",
        ">=16": {"setting": "2", "large transactions": 3, "parallel workers": 2, "visible": 9000},
    },
    settings=LOGICAL,
    note="The third of three large transactions at once is kept in a file, as with streaming = on.",
)
def parallel_apply_limit(lab):
    lab.sql(BIG)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t1"):
        return refused
    options = "WITH (copy_data = false, slot_name = parallel_limit, streaming = parallel)"
    if lab.version in VersionSet(">=14"):
        sender_setting(lab, *LITTLE_MEMORY)
    subscriber, refused = subscribe(lab, BIG, options)
    if refused:
        return refused
    lab.wait_for_catchup("sub")
    writers = [lab.session(f"writer {number}") for number in (1, 2, 3)]
    for number, writer in enumerate(writers):
        insert_many(writer, 3000 * number)
    count = "SELECT stream_txns FROM pg_stat_replication_slots WHERE slot_name = 'parallel_limit'"
    lab.poll_query_until(count, 3)
    subscriber.poll_query_until(IN_A_FILE)
    workers = subscriber.value(PARALLEL_WORKERS)
    for writer in writers:
        writer.sql("COMMIT")
    lab.wait_for_catchup("sub")
    return {
        "setting": subscriber.value("SHOW max_parallel_apply_workers_per_subscription"),
        "large transactions": lab.value(count),
        "parallel workers": workers,
        "visible": subscriber.value("SELECT count(*) FROM t1"),
    }


@behavior(
    "10/replicated-row-order",
    title="A subscriber stores rows in the order of commits, not in the publisher's",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="logical-replication",
    expect={"<10": "42601", ">=10": {"publisher": [1, 2], "subscriber": [2, 1]}},
    settings=LOGICAL,
    note=(
        "The report saw another order with streaming = parallel. Its small transactions are never applied in"
        " parallel: a subscriber applies transactions as they commit, on every major and without streaming."
        " Only ORDER BY promises an order."
    ),
)
def replicated_row_order(lab):
    table = "CREATE TABLE t2 (id int PRIMARY KEY)"
    lab.sql(table)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t2"):
        return refused
    subscriber, _ = subscribe(lab, table, "WITH (copy_data = false)")
    writer = lab.session("writer")
    writer.sql("BEGIN")
    writer.sql("INSERT INTO t2 VALUES (1)")
    lab.sql("INSERT INTO t2 VALUES (2)")
    writer.sql("COMMIT")
    lab.wait_for_catchup("sub")
    stored = "SELECT array_agg(id ORDER BY ctid) FROM t2"
    return {"publisher": lab.value(stored), "subscriber": subscriber.value(stored)}


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
    title="With REPLICA IDENTITY FULL the subscriber finds rows by an index that is no key",
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
        "Listed are the kinds of index on the subscriber that 20 UPDATEs were applied with. The report tries a"
        " btree index; hash indexes followed in 17. Partial indexes and those on an expression alone are not used."
    ),
)
def replica_identity_full_index(lab):
    tables = {kind: f"t_{kind.replace(' ', '_')}" for kind in INDEXES}
    if refused := lab.sqlstate("CREATE PUBLICATION pub"):
        return refused
    subscriber = lab.create_pg("subscriber")
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
    # The apply worker hands in what it has counted when it ends.
    subscriber.sql("ALTER SUBSCRIPTION sub DISABLE")
    subscriber.poll_query_until(
        "SELECT bool_and(n_tup_upd = 20 AND seq_scan + coalesce(idx_scan, 0) >= 20) FROM pg_stat_user_tables"
    )
    scans = dict(subscriber.sql("SELECT relname::text, coalesce(idx_scan, 0) FROM pg_stat_user_tables"))
    return [kind for kind, table in tables.items() if scans[table] >= 20]


# --- 4.3.4 Initial copy in binary format -------------------------------------------------------------------


def copied_in(lab, table, since):
    """The format in which the publisher was asked to copy a table, as its log has the command."""
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
    note="14 and 15 have the option, for changes after the initial copy.",
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
    title="With binary = on the initial copy fails where the column's type differs",
    area="replication",
    source=f"{REPORT}, 4.3.4",
    manual="sql-createsubscription",
    kind="incompatibility",
    since="16",
    remedy="Give the column the same type on both sides, or copy with binary = off and turn it on afterwards.",
    expect={"<14": NotYet("42601"), "14..15": {"copied": 10}, ">=16": {"copied": 0}},
    settings=LOGICAL,
    note="int on the publisher, bigint on the subscriber. In 14 and 15 the first change after the copy fails.",
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
    subscriber.cluster.wait_for_log("insufficient data left in message")
    return {"copied": subscriber.value("SELECT count(*) FROM t4")}
