"""Objects of older servers that pg_upgrade to PostgreSQL 10 and later refuses, and removed extensions."""

from pytest_pgfeatures import Row, behavior, rows
from pytest_pgfeatures.affects import ScriptText, Unseen
from pytest_pgfeatures.atlas.in_catalogs import indexes
from pytest_pgfeatures.atlas.patterns import UPGRADES, gone_extension, gone_in


@behavior(
    "10/hash-index-rebuilt",
    title="pg_upgrade marks hash indexes of older versions invalid: they must be rebuilt",
    area="upgrade",
    release_note="10.1",
    kind="incompatibility",
    manual="pgupgrade",
    isolation="cluster",
    needs=UPGRADES,
    expect={"<10": True, ">=10": False},
    remedy="After the upgrade, run the REINDEX script that pg_upgrade writes, or run REINDEX.",
    note="Whether pg_upgrade of a later version warns of hash indexes.",
    affects=indexes("m.amname = 'hash'", "hash"),
)
def hash_index_rebuilt(lab):
    lab.sql("CREATE TABLE t (a int)")
    lab.sql("CREATE INDEX t_a ON t USING hash (a)")
    return "hash indexes" in lab.upgrade_check().output


@behavior(
    "10/hash-index-logged",
    title="Hash indexes are WAL-logged, so CREATE INDEX doesn't warn about them",
    area="ddl",
    release_note="10.1",
    manual="indexes-types#INDEXES-TYPES-HASH",
    isolation="transaction",
    since="10",
    expect={
        "<9.5": [],
        "9.5..9.6": ["WARNING:  hash indexes are not WAL-logged and their use is discouraged"],
        ">=10": [],
    },
    note="Their format changed for this. 9.4 and older give no warning.",
)
def hash_index_logged(lab):
    lab.sql("CREATE TABLE t (a int)")
    return lab.notices("CREATE INDEX t_a ON t USING hash (a)")


rows(
    gone_extension(
        "10.25",
        "tsearch2",
        title="The extension tsearch2 is gone",
        remedy="Use the core's text search, and drop the extension before the upgrade.",
    ),
    Row(
        "10.23",
        "float-timestamps",
        "SELECT bigint_timestamps FROM pg_control_init()",
        expect=gone_in("10", True, "42703", since="9.6", not_yet="42883"),
        title="Floating-point timestamps are gone: pg_control_init() has no column bigint_timestamps",
        area="upgrade",
        manual="datatype-datetime",
        remedy="Dump a server that was built with --disable-integer-datetimes, and restore it.",
        note="No build with floating-point timestamps was found. pg_control_init() came with 9.6.",
        affects=[
            ScriptText(r"--disable-integer-datetimes"),
            Unseen("no input shows how the server was built: run SHOW integer_datetimes"),
        ],
    ),
)
