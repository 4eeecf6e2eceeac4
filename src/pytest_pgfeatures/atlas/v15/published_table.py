"""The published table of the document on row filters and column lists, and a server that subscribes to it.

The lab's own database is the publisher.
"""

from pytest_pgfeatures import VersionSet

DOCUMENT = "Performance of row filters and column lists in PostgreSQL 15"
LOGICAL = {"wal_level": "logical"}

# The document's table; row filters select a share of it by kind.
TABLE = """
    CREATE TABLE tbl (id int PRIMARY KEY, kind int NOT NULL, key int, time timestamp DEFAULT now(),
                      item1 int, item2 int, item3 int, item4 int)
"""
# The replica identity must contain the columns of a filter; the document takes id and kind.
IDENTITY = "CREATE UNIQUE INDEX tbl_identity ON tbl (id, kind)"
USE_IDENTITY = "ALTER TABLE tbl REPLICA IDENTITY USING INDEX tbl_identity"


def create_table(lab, rows=100):
    """Create the document's table. Each of the kinds 0 to 3 has a quarter of the rows."""
    lab.sql(TABLE)
    lab.sql(IDENTITY)
    if lab.version in VersionSet(">=9.4"):
        lab.sql(USE_IDENTITY)
    insert_rows(lab, 1, rows)


def insert_rows(lab, first, last):
    """Insert rows with the ids from ``first`` to ``last``."""
    lab.sql(
        "INSERT INTO tbl SELECT g, g % 4, g, '2023-03-06', g, g, g, g"
        f" FROM generate_series({first}, {last}) g"
    )


def subscribe(lab, publications="pub"):
    """Return another server that has subscribed to the lab's database and finished the initial copy."""
    subscriber = lab.peer("subscriber")
    subscriber.sql(TABLE)
    subscriber.sql(IDENTITY)
    subscriber.sql(USE_IDENTITY)
    subscriber.sql(f"CREATE SUBSCRIPTION sub CONNECTION '{lab.dsn}' PUBLICATION {publications}")
    subscriber.wait_for_subscription_sync(lab, "sub")
    return subscriber


def messages(lab, publication):
    """Return the messages that the slot has for a subscriber: the kind of each, and its length in bytes."""
    return lab.sql(
        "SELECT chr(get_byte(data, 0)), length(data) FROM pg_logical_slot_get_binary_changes("
        " 'messages', NULL, NULL, 'proto_version', '1', 'publication_names', %s)",
        [publication],
    )
