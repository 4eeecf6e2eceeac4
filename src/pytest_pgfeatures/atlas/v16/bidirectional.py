"""Bidirectional logical replication: section 4.3.5 of the PostgreSQL 16 verification report."""

import itertools
import re

from pytest_pgfeatures import VersionSet, behavior

REPORT = "PostgreSQL 16 verification report"
LOGICAL = {"wal_level": "logical"}

TABLE = "CREATE TABLE t5 (id int PRIMARY KEY, v text)"
ROWS = "SELECT coalesce(array_agg(id || ' ' || v ORDER BY id), '{}') FROM t5"


def connect(nodes, options, rows=None):
    """Have each node subscribe to each other node. Return the SQLSTATE of the first refusal, or None.

    The subscription of ``a`` to ``b`` is ``a_b``. There is no initial copy: the tables are equal at the start.
    Applied changes are flushed at once, so that a node that passes them on does so at once.
    """
    for node in nodes:
        node.sql(TABLE)
        if rows:
            node.sql(rows)
        if refused := node.sqlstate("CREATE PUBLICATION pub FOR TABLE t5"):
            return refused
    for node, other in itertools.permutations(nodes, 2):
        create = f"CREATE SUBSCRIPTION {node.name}_{other.name} CONNECTION '{other.dsn}' PUBLICATION pub"
        if refused := node.sqlstate(f"{create} WITH (copy_data = false, synchronous_commit = on{options})"):
            return refused
    arrive(nodes)
    return None


def arrive(nodes):
    """Wait until every node has the changes of all others."""
    for node, other in itertools.permutations(nodes, 2):
        other.wait_for_catchup(f"{node.name}_{other.name}")


def different(nodes):
    """Return the nodes' rows once all changes have arrived: one list if all nodes have the same."""
    arrive(nodes)
    contents = [node.value(ROWS) for node in nodes]
    return [rows for number, rows in enumerate(contents) if rows not in contents[:number]]


@behavior(
    "16/origin-option",
    title="The subscription option origin takes none and any",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="sql-createsubscription",
    isolation="transaction",
    expect={
        "<16": {"none": "42601", "any": "42601", "foo": "42601", "default": None},
        ">=16": {"none": None, "any": None, "foo": "22023", "default": "any"},
    },
)
def origin_option(lab):
    create = "CREATE SUBSCRIPTION sub_{0} CONNECTION '' PUBLICATION pub WITH (connect = false, origin = {0})"
    found = {value: lab.sqlstate(create.format(value)) for value in ("none", "any", "foo")}
    default = None
    if lab.version in VersionSet(">=16"):
        lab.sql("CREATE SUBSCRIPTION sub_default CONNECTION '' PUBLICATION pub WITH (connect = false)")
        default = lab.value("SELECT suborigin FROM pg_subscription WHERE subname = 'sub_default'")
    return found | {"default": default}


@behavior(
    "16/bidirectional-three-nodes",
    title="With origin = none, each change of three nodes arrives once on all of them",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="logical-replication",
    expect={
        "<16": "42601",
        ">=16": {
            "INSERT on a and b": [["1 AAA", "2 BBB"]],
            "UPDATE and DELETE on c": [["2 BBBBB"]],
            "errors": 0,
        },
    },
    settings=LOGICAL,
    note="The rows of the nodes; one list where all three have the same.",
)
def bidirectional_three_nodes(lab):
    nodes = lab.peers("a", "b", "c")
    if refused := connect(nodes, ", origin = none"):
        return refused
    a, b, c = nodes

    a.sql("INSERT INTO t5 VALUES (1, 'AAA')")
    arrive(nodes)
    b.sql("INSERT INTO t5 VALUES (2, 'BBB')")
    inserted = different(nodes)
    c.sql("UPDATE t5 SET v = 'BBBBB' WHERE id = 2")
    c.sql("DELETE FROM t5 WHERE id = 1")
    changed = different(nodes)
    errors = "SELECT sum(apply_error_count)::int FROM pg_stat_subscription_stats"
    return {
        "INSERT on a and b": inserted,
        "UPDATE and DELETE on c": changed,
        "errors": sum(node.value(errors) for node in nodes),
    }


def comes_back(nodes):
    """Return whether an UPDATE on the first node keeps coming back, which gives its row ever new versions."""
    a = nodes[0]
    a.sql("UPDATE t5 SET v = 'new'")
    versions = set()
    for _ in range(6):
        versions.add(a.value("SELECT xmin::text FROM t5"))
        arrive(nodes)
    return len(versions) > 2


@behavior(
    "10/update-loop",
    title="An UPDATE loops forever between two nodes that subscribe to each other",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="logical-replication",
    expect={"<10": "42601", ">=10": True},
    settings=LOGICAL,
    note="The report says this of 15 and older. With the default origin = any, 16 and newer do the same.",
)
def update_loop(lab):
    nodes = lab.peers("a", "b")
    if refused := connect(nodes, "", "INSERT INTO t5 VALUES (1, 'old')"):
        return refused
    return comes_back(nodes)


@behavior(
    "16/origin-none-update",
    title="With origin = none, an UPDATE does not come back",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="sql-createsubscription",
    expect={"<16": "42601", ">=16": {"comes back": False, "on both": ["1 new"]}},
    settings=LOGICAL,
)
def origin_none_update(lab):
    nodes = lab.peers("a", "b")
    if refused := connect(nodes, ", origin = none", "INSERT INTO t5 VALUES (1, 'old')"):
        return refused
    return {"comes back": comes_back(nodes), "on both": different(nodes)[0]}


@behavior(
    "16/origin-none-copy-warning",
    title="CREATE SUBSCRIPTION warns if origin = none would copy rows that came from elsewhere",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="sql-createsubscription",
    expect={"<16": "42601", ">=16": {"a from b": 0, "b from a": 1, "b from a, copy_data = false": 0}},
    settings=LOGICAL,
    note="The number of warnings. A copy doesn't distinguish the publisher's own rows from another node's.",
)
def origin_none_copy_warning(lab):
    a, b = lab.peers("a", "b")
    for node in (a, b):
        node.sql(TABLE)
        if refused := node.sqlstate("CREATE PUBLICATION pub FOR TABLE t5"):
            return refused

    def warnings(node, name, other, options=""):
        create = f"CREATE SUBSCRIPTION {name} CONNECTION '{other.dsn}' PUBLICATION pub"
        refused = node.sqlstate(f"{create} WITH (origin = none{options})")
        notices = list(lab.transcript)[-1].notices
        return refused or sum(notice.startswith("WARNING") for notice in notices)

    first = warnings(a, "a_b", b)
    if lab.version in VersionSet("<16"):
        return first
    return {
        "a from b": first,
        "b from a": warnings(b, "b_a", a),
        "b from a, copy_data = false": warnings(b, "b_a_again", a, ", copy_data = false"),
    }


@behavior(
    "16/bidirectional-conflict",
    title="Replication stops after inserts of one key on three nodes; after SKIP the rows differ",
    area="replication",
    source=f"{REPORT}, 4.3.5",
    manual="logical-replication-conflicts",
    expect={
        "<16": "42601",
        ">=16": {
            "subscriptions with errors": 6,
            "in conflict": [["5 a"], ["5 b"], ["5 c"]],
            "after SKIP": [["5 a", "6 after"], ["5 b", "6 after"], ["5 c", "6 after"]],
        },
    },
    settings=LOGICAL,
    note=(
        "The rows of each node. In the report, three INSERTs race; here the subscriptions are disabled"
        " during the INSERTs."
        " The position to skip is in the subscriber's log."
    ),
)
def bidirectional_conflict(lab):
    nodes = lab.peers("a", "b", "c")
    if refused := connect(nodes, ", origin = none"):
        return refused
    pairs = list(itertools.permutations(nodes, 2))
    for node, other in pairs:
        node.sql(f"ALTER SUBSCRIPTION {node.name}_{other.name} DISABLE")
    for node in nodes:
        node.sql(f"INSERT INTO t5 VALUES (5, '{node.name}')")
    since = {node: node.cluster.log.position() for node in nodes}
    for node, other in pairs:
        node.sql(f"ALTER SUBSCRIPTION {node.name}_{other.name} ENABLE")
    failed = "SELECT count(*)::int FROM pg_stat_subscription_stats WHERE apply_error_count > 0"
    for node in nodes:
        node.poll_query_until(failed, 2)
    conflict = {
        "subscriptions with errors": sum(node.value(failed) for node in nodes),
        "in conflict": [node.value(ROWS) for node in nodes],
    }
    for node, other in pairs:
        name = f"{node.name}_{other.name}"
        node.sql(f"ALTER SUBSCRIPTION {name} SKIP (lsn = '{failing_at(node, name, since[node])}')")
    nodes[0].sql("INSERT INTO t5 VALUES (6, 'after')")
    arrive(nodes)
    return conflict | {"after SKIP": [node.value(ROWS) for node in nodes]}


def failing_at(node, subscription, since):
    """Return the position of the transaction that a subscription fails to apply, from the server's log."""
    origin = node.value("SELECT 'pg_' || oid FROM pg_subscription WHERE subname = %s", [subscription])
    found = re.search(rf'origin "{origin}" during .* finished at ([0-9A-F/]+)', node.cluster.log.text(since))
    return found[1] if found else "0/0"
