"""Columns and functions that 18 removed, and defaults that it changed."""

from pytest_pgfeatures import NotYet, Remedied, Row, behavior, rows
from pytest_pgfeatures.affects import Call, Column, Default, ParseNode, ProgramCall, ScriptText, SettingUsed
from pytest_pgfeatures.atlas.in_catalogs import indexes


def column(key, name, relation, column, expect, remedy, *evidence, **fields):
    """Make a row for a removed column."""
    return Row(
        key,
        name,
        f"SELECT count({column}) > 0 FROM {relation}",
        expect=expect,
        since="18",
        title=f"{relation} has no column {column}",
        remedy=remedy,
        affects=[Column(relation, column), *evidence],
        **fields,
    )


SINCE_14 = {"<14": NotYet("42P01"), "14..17": True, ">=18": "42703"}
SINCE_16 = {"<16": NotYet("42P01"), "16..17": True, ">=18": "42703"}

PROVIDER = "if the database's default collation provider is ICU or builtin"

rows(
    column("18.9", "memory-contexts-parent", "pg_backend_memory_contexts", "parent", SINCE_14, "Read path."),
    Row(
        "18.10",
        "memory-contexts-level",
        "SELECT min(level) FROM pg_backend_memory_contexts",
        expect={"<14": NotYet("42P01"), "14..17": 0, ">=18": 1},
        since="18",
        title="Levels in pg_backend_memory_contexts begin with one",
        remedy="Look for TopMemoryContext by its name, not by its level.",
        remedied=Remedied(
            "SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'TopMemoryContext'",
            {"<14": NotYet("42P01"), ">=14": 1},
        ),
        affects=Column("pg_backend_memory_contexts", "level", value=r"\d+"),
    ),
    *(
        column(
            "18.x1",
            f"stat-wal-{each.replace('_', '-')}",
            "pg_stat_wal",
            each,
            SINCE_14,
            f"Read pg_stat_io: {there}.",
            SettingUsed("track_wal_io_timing", value="on|true|yes|1", may="its times are in pg_stat_io"),
        )
        for each, there in (
            ("wal_write", "writes of the object wal"),
            ("wal_sync", "fsyncs of the object wal"),
            ("wal_write_time", "write_time of the object wal"),
            ("wal_sync_time", "fsync_time of the object wal"),
        )
    ),
    column(
        "18.x1",
        "stat-io-op-bytes",
        "pg_stat_io",
        "op_bytes",
        SINCE_16,
        "Read read_bytes, write_bytes, extend_bytes.",
    ),
    area="monitoring",
)

rows(
    column(
        "18.x2", "attcacheoff", "pg_attribute", "attcacheoff", {"<18": True, ">=18": "42703"},
        "Leave the column out: it was -1 in all rows.",
    ),
    Row(
        "18.x12",
        "pg-timezone-abbrevs",
        "SELECT count(*) > 0 FROM pg_timezone_abbrevs()",
        before=True,
        after="42883",
        title="The function pg_timezone_abbrevs is gone",
        remedy="Read the view pg_timezone_abbrevs.",
        remedied="SELECT count(*) > 0 FROM pg_timezone_abbrevs",
affects=Call("pg_timezone_abbrevs", args=0),
),
    area="catalogs",
)  # fmt: skip

rows(
    Row(
        "18.1",
        "data-checksums",
        "SHOW data_checksums",
        before="off",
        after="on",
        title="initdb turns data checksums on",
        remedy="To upgrade a cluster without checksums, use initdb --no-data-checksums, or pg_checksums"
        " --enable on the old cluster.",
        note="pg_upgrade refuses two clusters that differ in this.",
        affects=[
            ProgramCall(
                "initdb",
                unless=("-k", "--data-checksums", "--no-data-checksums"),
                may="the cluster gets checksums",
            ),
            ProgramCall(
                "pg_ctl", word="init(db)?", may="the cluster gets checksums, unless -o says otherwise"
            ),
            ProgramCall("pg_upgrade", may="both clusters must have checksums, or neither"),
            ScriptText(
                r"POSTGRES_INITDB_ARGS(?!.*(?:data-checksums|[\s\"'=]-k\b))", may="the cluster gets checksums"
            ),
        ],
    ),
    Row(
        "18.x10",
        "subscription-streams",
        lambda lab: (
            lab.sqlstate(
                "CREATE SUBSCRIPTION feed CONNECTION 'dbname=nowhere' PUBLICATION pub WITH (connect = false)"
            )
            or lab.value(
                "SELECT coalesce(row_to_json(s) ->> 'substream', 'none') FROM pg_subscription AS s"
                " WHERE subdbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
            )
        ),
        expect={
            "<10": NotYet("42601"),
            "10..13": "none",
            "14..15": "false",
            "16..17": "f",
            ">=18": "p",
        },
        since="18",
        title="A subscription streams large transactions, and applies them in parallel",
        remedy="CREATE SUBSCRIPTION ... WITH (streaming = off).",
        note="pg_subscription.substream: false or f is off, p is parallel.",
        affects=ParseNode(
            "CreateSubscriptionStmt",
            lacks={"options": "streaming"},
            may="large transactions are applied in parallel",
        ),
    ),
    Row(
        "18.x11",
        "effective-io-concurrency",
        "SELECT boot_val FROM pg_settings WHERE name = 'effective_io_concurrency'",
        before="1",
        after="16",
        title="Sixteen reads may be in progress ahead of their use",
        remedy="Set effective_io_concurrency = 1.",
        affects=Default("effective_io_concurrency", may="16 requests at a time, no longer one"),
    ),
    Row(
        "18.x11",
        "ssl-groups",
        "SELECT array_agg(name) FROM pg_settings WHERE name IN ('ssl_groups', 'ssl_ecdh_curve')",
        expect={"<9.4": NotYet(None), "9.4..17": ["ssl_ecdh_curve"], ">=18": ["ssl_groups"]},
        since="18",
        title="ssl_ecdh_curve is renamed to ssl_groups, and takes several groups",
        remedy="Write ssl_groups. The old name still works.",
        affects=SettingUsed("ssl_ecdh_curve", may="it is named ssl_groups now; the old name still works"),
    ),
    area="settings",
    kind="default",
)


@behavior(
    "18/text-search-provider",
    release_note="18.11",
    title="Text search folds case with the database's locale provider",
    area="types",
    kind="incompatibility",
    manual="textsearch",
    isolation="transaction",
    since="18",
    expect={"<17": NotYet("no such provider"), "17": "'École':1", ">=18": "'école':1"},
    remedy="REINDEX indexes of text search and of pg_trgm after pg_upgrade, if the provider is not libc.",
    note="Here the provider is builtin, with C.UTF-8, and LC_CTYPE is C. 15 and 16 have only the provider"
    " ICU for this.",
    affects=[
        indexes(
            "o.opcname IN ('gin_trgm_ops', 'gist_trgm_ops', 'tsvector_ops')",
            "gin_trgm_ops",
            "gist_trgm_ops",
            "to_tsvector",
            "gin",
            "gist",
            may="if the database's default collation provider is ICU or builtin",
        ),
    ],
)
def text_search_provider(lab):
    from pytest_pgfeatures import VersionSet

    if lab.cluster.version not in VersionSet(">=17"):
        return "no such provider"
    options = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--lc-ctype=C", "--encoding=UTF8")
    node = lab.create_pg("builtin", initdb_options=options)
    return node.value("SELECT to_tsvector('simple', 'ÉCOLE')::text")
