"""The privileges of a subscription's owner: from 15 on, they decide what the subscription may write.

The lab's own database is the publisher. The subscription's owner was a superuser, and isn't one any more.
"""

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import ParseNode

LOGICAL = {"wal_level": "logical"}
# Other behaviors use the subscriber's server, too, and a behavior may run twice there.
CREATE_ROLE = "DO $$ BEGIN CREATE ROLE {}; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
SUBSCRIBE = "CREATE SUBSCRIPTION sub CONNECTION '{}' PUBLICATION pub"
# From 16 on, a subscription writes as the tables' owners and needs a password, unless it has these options.
AS_OWNER = " WITH (run_as_owner = true, password_required = false)"


def subscribe(lab, prepare):
    """Return a server with a subscription of a role without privileges; None where subscriptions don't exist.

    Parameters:
        prepare: statements that give the role privileges on the table.
    """
    lab.sql("CREATE TABLE items (id int PRIMARY KEY, name text)")
    lab.sql("INSERT INTO items VALUES (1, 'old')")
    if lab.sqlstate("CREATE PUBLICATION pub FOR TABLE items"):
        return None
    subscriber = lab.peer("subscriber")
    subscriber.sql("CREATE TABLE items (id int PRIMARY KEY, name text)")
    subscriber.sql(CREATE_ROLE.format("applier"))
    subscriber.sql("ALTER ROLE applier LOGIN SUPERUSER")
    statement = SUBSCRIBE.format(lab.dsn)
    if subscriber.sqlstate(statement + AS_OWNER):
        subscriber.sql(statement)
    subscriber.wait_for_subscription_sync(lab, "sub")
    subscriber.sql("ALTER SUBSCRIPTION sub OWNER TO applier")
    subscriber.sql(prepare)
    subscriber.sql("ALTER ROLE applier NOSUPERUSER")
    # The running worker still has superuser rights; the next one doesn't.
    subscriber.sql("ALTER SUBSCRIPTION sub DISABLE")
    subscriber.poll_query_until("SELECT count(*) = 0 FROM pg_stat_subscription WHERE pid IS NOT NULL")
    subscriber.sql("ALTER SUBSCRIPTION sub ENABLE")
    return subscriber


def outcome(subscriber, arrived, refused):
    """Return ``arrives`` if a change arrives, and ``refused`` if the server logs its refusal."""

    def seen():
        if subscriber.value(arrived):
            return "arrives"
        return "refused" if subscriber.log_contains(refused) else None

    return subscriber.wait_until(seen, "the change, or its refusal")


@behavior(
    "15/subscription-and-row-security",
    release_note="15.18",
    title="A subscription can't write to a table with row security unless its owner bypasses it",
    area="replication",
    kind="incompatibility",
    manual="logical-replication-security",
    settings=LOGICAL,
    since="15",
    expect={"<10": NotYet("no subscriptions"), "10..14": "arrives", ">=15": "refused"},
    remedy="Give the subscription to a superuser, to a role with BYPASSRLS, or to the table's owner.",
    affects=[
        ParseNode(
            "CreateSubscriptionStmt",
            present=ParseNode("AlterTableCmd", subtype="RowSecurity"),
            may="if its owner is no superuser, and the table has row security",
        ),
        ParseNode(
            "AlterOwnerStmt",
            objectType="SUBSCRIPTION",
            may="if the table has row security, or the role owns no table",
        ),
    ],
)
def subscription_and_row_security(lab):
    subscriber = subscribe(lab, "GRANT ALL ON items TO applier; ALTER TABLE items ENABLE ROW LEVEL SECURITY")
    if subscriber is None:
        return "no subscriptions"
    lab.sql("INSERT INTO items VALUES (2, 'new')")
    return outcome(subscriber, "SELECT count(*) = 2 FROM items", "row-level security enabled")


@behavior(
    "15/subscription-needs-select",
    release_note="15.19",
    title="Applying an UPDATE needs SELECT on the table",
    area="replication",
    kind="incompatibility",
    manual="logical-replication-security",
    settings=LOGICAL,
    since="15",
    expect={"<10": NotYet("no subscriptions"), "10..14": "arrives", ">=15": "refused"},
    remedy="GRANT SELECT on the tables to the subscription's owner.",
    affects=[
        ParseNode("CreateSubscriptionStmt", may="if its owner has no SELECT on the tables"),
        ParseNode(
            "AlterOwnerStmt",
            objectType="SUBSCRIPTION",
            may="if the role has no SELECT on the tables",
        ),
    ],
)
def subscription_needs_select(lab):
    subscriber = subscribe(lab, "GRANT INSERT, UPDATE, DELETE ON items TO applier")
    if subscriber is None:
        return "no subscriptions"
    lab.sql("UPDATE items SET name = 'new' WHERE id = 1")
    return outcome(subscriber, "SELECT name = 'new' FROM items", "permission denied for table items")
