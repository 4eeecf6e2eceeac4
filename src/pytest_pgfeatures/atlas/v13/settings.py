"""Settings that PostgreSQL 13 removed or changed."""

from pytest_pgfeatures import NotYet, Remedied, Row, VersionSet, behavior, rows
from pytest_pgfeatures.affects import Call, ParseNode, SettingUsed
from pytest_pgfeatures.atlas.page_cache import brought_in, evict, tablespace_on_disk
from pytest_pgfeatures.atlas.patterns import gone_setting

POSIX_ZONE = (
    r"(?!(EST5EDT|CST6CDT|MST7MDT|PST8PDT)$)(<[^>]+>|[A-Za-z]{3,})[+-]?\d{1,2}(:\d+)*(<[^>]+>|[A-Za-z]{3,})"
)
"""A regular expression for a POSIX time zone that has daylight-saving time without a rule."""

rows(
    gone_setting(
        "13.8",
        "wal_keep_segments",
        "32",
        default="0",
        set_by="start",
        title="The setting wal_keep_segments is called wal_keep_size, in megabytes",
        manual="runtime-config-replication#GUC-WAL-KEEP-SIZE",
        remedy="Set wal_keep_size to that number times wal_segment_size, which is 16MB if not set at initdb.",
        remedied=Remedied(
            lambda lab: lab.start_refusal("wal_keep_size = 512MB"),
            {"<13": NotYet('unrecognized configuration parameter "wal_keep_size"'), ">=13": None},
        ),
    ),
    Row(
        "13.13",
        "posixrules",
        "SET timezone = 'FOO-1BAR'; SELECT to_char(timestamptz '2006-03-30 12:00+00', 'HH24:MI')",
        "13:00",
        "14:00",
        title="The file posixrules isn't read: POSIX time zones without rules follow those of the USA",
        area="settings",
        manual="datetime-posix-timezone-specs",
        remedy="Name a region and a city, such as Europe/Berlin, or write the rules.",
        remedied="""
            SET timezone = 'FOO-1BAR,M4.1.0,M10.5.0';
            SELECT to_char(timestamptz '2006-03-30 12:00+00', 'HH24:MI')
        """,
        note="Up to 2006, US daylight-saving time began in April. posixrules has that; the built-in rule doesn't.",
        affects=[
            SettingUsed("timezone", "log_timezone", value=POSIX_ZONE),
            Call("timezone", where={1: f"'{POSIX_ZONE}'"}),
        ],
    ),
)

TARGETS, READ, STRIDE = 60, 15, 32
"""The pages that a query needs, those that it reads before it ends, and their distance."""


@behavior(
    "13/effective-io-concurrency",
    title="effective_io_concurrency is the number of requests, not the input of a formula",
    area="settings",
    release_note="13.3",
    kind="incompatibility",
    manual="runtime-config-resource#GUC-EFFECTIVE-IO-CONCURRENCY",
    isolation="cluster",
    expect={"<13": 29, ">=13": 10},
    remedy="Set round(sum(n / i)) for i from 1 to the old value n: 29 for 10.",
    remedied=lambda lab: read_ahead(lab, 10 if lab.version in VersionSet("<13") else 29),
    note="The pages that a bitmap heap scan prefetches with the value 10, counted in Linux's page cache.",
    affects=[
        SettingUsed("effective_io_concurrency", value=r"[2-9]|\d\d+", may="no formula enlarges it"),
        ParseNode("DefElem", defname="^effective_io_concurrency$", may="no formula enlarges it"),
    ],
)
def effective_io_concurrency(lab):
    return read_ahead(lab, 10)


def read_ahead(lab, value):
    """Count the pages that a query prefetches beyond those that it reads."""
    with tablespace_on_disk(lab):
        lab.sql("CREATE TABLE t (k int, filler text) WITH (autovacuum_enabled = off) TABLESPACE on_disk")
        lab.sql("ALTER TABLE t ALTER filler SET STORAGE PLAIN")
        lab.sql(
            f"INSERT INTO t SELECT k, repeat('x', 5000) FROM generate_series(0, {TARGETS * STRIDE - 1}) AS k"
        )
        lab.sql(f"CREATE INDEX ON t (k) WHERE k % {STRIDE} = 0")
        lab.sql("ANALYZE t")
        path = lab.cluster.datadir / lab.value("SELECT pg_relation_filepath('t')")
        lab.restart()
        evict(path)
        lab.set(enable_seqscan=False, enable_indexscan=False, enable_indexonlyscan=False)
        lab.set(effective_io_concurrency=value)
        lab.sql(f"SELECT k FROM t WHERE k % {STRIDE} = 0 LIMIT {READ}")
        wanted = brought_in(path)[::STRIDE]
        lab.sql("DROP TABLE t")
        lab.sql("DROP TABLESPACE on_disk")
    return sum(wanted) - READ
