"""Logical replication of large transactions: section 4.3.2 of the PostgreSQL 16 verification report.

The report measures time. These behaviors show the causes: the process that applies a transaction, and when.
"""

from pytest_pgfeatures import NotYet, VersionSet, behavior
from pytest_pgfeatures.affects import ParseNode
from pytest_pgfeatures.atlas.v16.logical_replication import LOGICAL, REPORT, sender_setting, subscribe


@behavior(
    "16/streaming-option",
    title="The subscription option streaming takes parallel besides off and on",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    since="16",
    isolation="transaction",
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


# One catalog has the subscriptions of all databases.
THIS_DATABASE = "SELECT oid FROM pg_database WHERE datname = current_database()"


@behavior(
    "18/streaming-default",
    title="Subscriptions apply large transactions in parallel by default",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    since="18",
    kind="incompatibility",
    remedy="Write streaming = off in CREATE SUBSCRIPTION to have transactions sent when they commit.",
    isolation="transaction",
    expect={"<10": NotYet("42601"), "10..13": NotYet("42703"), "14..17": "off", ">=18": "parallel"},
    note="The report says that off is the default, as it was in 16 and 17.",
    affects=ParseNode(
        "CreateSubscriptionStmt",
        lacks={"options": "streaming"},
        may="large transactions are applied in parallel",
    ),
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
# With the minimum of memory for decoding, a few hundred changes are a large transaction.
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
    """Return the place of a large transaction before it commits, or the SQLSTATE if the option is refused."""
    lab.sql(BIG)
    if refused := lab.sqlstate("CREATE PUBLICATION pub FOR TABLE t1"):
        return refused
    # Up to 14, a dropped slot's statistics stay visible for a while: each behavior has a slot name of its own.
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
    title="Without streaming, a large transaction is sent when it commits",
    area="replication",
    source=f"{REPORT}, 4.3.2",
    manual="sql-createsubscription",
    expect={
        "<14": "42601",
        ">=14": {"before the commit": "on the publisher", "parallel workers": 0, "visible": [0, 3000]},
    },
    settings=LOGICAL,
    note="visible has the number of the subscriber's rows before and after the commit. Up to 13 there is no"
    " such option.",
)
def streaming_off(lab):
    return large_transaction(lab, "off")


@behavior(
    "14/streaming-on",
    title="streaming = on sends a large transaction while it runs, and applies it when it commits",
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
    title="streaming = parallel applies a large transaction while it runs, in a parallel worker",
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
    title="A subscriber stores rows in the order of commits, not in the publisher's row order",
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
