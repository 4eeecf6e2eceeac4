"""VACUUM: sections 4.5.3 and 4.5.4 of the PostgreSQL 16 verification report."""

import re

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"

# --- 4.5.3 Freezing page by page ---------------------------------------------------------------------------


def create_updated(lab):
    """Create the report's ten rows, each of them updated, so that VACUUM has something to remove."""
    lab.sql("CREATE TABLE t_freeze (id int, v text)")
    lab.sql("INSERT INTO t_freeze SELECT g, substr(md5(g::text), 1, 10) FROM generate_series(1, 10) g")
    lab.sql("UPDATE t_freeze SET v = upper(v)")


def checkpoint(lab):
    """Make the next change of any page write the whole page to WAL.

    From 17 on, a session decides on freezing by the last checkpoint that it knows of, and it learns of
    checkpoints when it writes to WAL. So it writes to WAL here.
    """
    lab.sql("CHECKPOINT")
    lab.sql("CREATE TABLE t_other ()")


def frozen_rows(lab):
    """Count the row versions of the table that are marked as frozen."""
    lab.sql("CREATE EXTENSION pageinspect")
    return lab.value(
        """
        SELECT count(*)
        FROM generate_series(0, pg_relation_size('t_freeze') / current_setting('block_size')::int - 1) page,
             heap_page_items(get_raw_page('t_freeze', page::int))
        WHERE t_infomask & 768 = 768
        """
    )


@behavior(
    "16/page-freezing",
    title="A VACUUM that writes a full-page image to WAL freezes the page's rows as well",
    area="vacuum",
    source=f"{REPORT}, 4.5.3",
    manual="routine-vacuuming#VACUUM-FOR-WRAPAROUND",
    needs=["contrib:pageinspect"],
    isolation="cluster",
    expect={"<16": 0, ">=16": 10},
    note=(
        "Counted with pageinspect, of ten rows. The report runs VACUUM directly after CHECKPOINT: that"
        " shows it in 16, but in 17 and later only with checksums, unless the session wrote to WAL in"
        " between."
    ),
)
def page_freezing(lab):
    create_updated(lab)
    checkpoint(lab)
    lab.sql("VACUUM t_freeze")
    return frozen_rows(lab)


@behavior(
    "16/page-freezing-verbose",
    title="VACUUM VERBOSE reports the tuples that a non-aggressive VACUUM froze",
    area="vacuum",
    source=f"{REPORT}, 4.5.3",
    manual="sql-vacuum",
    isolation="cluster",
    expect={
        "<16": {"aggressively vacuuming": False, "frozen": None},
        ">=16": {
            "aggressively vacuuming": False,
            "frozen": "1 pages from table (100.00% of total) had 10 tuples frozen",
        },
    },
)
def page_freezing_verbose(lab):
    create_updated(lab)
    checkpoint(lab)
    report = "\n".join(lab.notices("VACUUM VERBOSE t_freeze"))
    frozen = re.search(r"^frozen: (.*)", report, re.MULTILINE)
    return {
        "aggressively vacuuming": "aggressively" in report,
        "frozen": frozen[1] if frozen else None,
    }


@behavior(
    "16/page-freezing-not-needed",
    title="A VACUUM that writes no full-page images to WAL freezes nothing",
    area="vacuum",
    source=f"{REPORT}, 4.5.3",
    manual="routine-vacuuming#VACUUM-FOR-WRAPAROUND",
    needs=["contrib:pageinspect"],
    isolation="cluster",
    expect={"all": 0},
    note="The same without a CHECKPOINT: the WAL already has the pages.",
)
def page_freezing_not_needed(lab):
    create_updated(lab)
    lab.sql("VACUUM t_freeze")
    return frozen_rows(lab)


@behavior(
    "16/page-freezing-in-part",
    title="VACUUM freezes only the pages whose full-page images it writes to WAL",
    area="vacuum",
    source=f"{REPORT}, 4.5.3",
    manual="routine-vacuuming#VACUUM-FOR-WRAPAROUND",
    needs=["contrib:pageinspect"],
    isolation="cluster",
    since="16",
    expect={"<16": 0, "16..17": 56, ">=18": 575},
    note=(
        "Of 20,000 rows, 499 of them updated; the report has the same 56 of 100,000. 18 has data"
        " checksums by default: with them, setting a hint bit writes the page to WAL, and so more pages are"
        " frozen; 16 and 17 do the same with initdb --data-checksums."
    ),
)
def page_freezing_in_part(lab):
    lab.sql("CREATE TABLE t_freeze (id int, v text)")
    lab.sql("INSERT INTO t_freeze SELECT g, substr(md5(g::text), 1, 10) FROM generate_series(1, 20000) g")
    lab.sql("UPDATE t_freeze SET v = upper(v) WHERE id < 500")
    checkpoint(lab)
    lab.sql("VACUUM t_freeze")
    return frozen_rows(lab)


@behavior(
    "16/freeze-wal",
    title="VACUUM FREEZE writes a quarter of the WAL that 15 writes",
    area="vacuum",
    source=f"{REPORT}, 4.5.3",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="cluster",
    expect={"<16": "more than 200 kB", ">=16": "less than 130 kB"},
    note=(
        "For 20,000 rows; the report has the same ratio. With a CHECKPOINT between INSERT and VACUUM each"
        " version writes all pages, 1.4 MB, which hides the difference."
    ),
)
def freeze_wal(lab):
    lab.sql("CREATE TABLE t_freeze (id int, v text)")
    lab.sql("INSERT INTO t_freeze SELECT g, md5(g::text) FROM generate_series(1, 20000) g")
    lab.sql("SELECT count(*) FROM t_freeze")  # sets the hint bits
    written = lab.wal_bytes("VACUUM FREEZE t_freeze")
    if written > 200_000:
        return "more than 200 kB"
    return "less than 130 kB" if written < 130_000 else f"{written} bytes"


# --- 4.5.4 The size of VACUUM's ring of buffers ------------------------------------------------------------


@behavior(
    "16/vacuum-buffer-usage-limit",
    title="The setting vacuum_buffer_usage_limit exists, and is at most 2MB by default",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="runtime-config-resource#GUC-VACUUM-BUFFER-USAGE-LIMIT",
    since="16",
    isolation="transaction",
    expect={"<16": "42704", "16": "256kB", ">=17": "2MB"},
    note="The value is the default; the report's 256kB is the default of 16.",
)
def vacuum_buffer_usage_limit(lab):
    return lab.value_or_sqlstate("SHOW vacuum_buffer_usage_limit")


@behavior(
    "16/vacuum-buffer-usage-limit-range",
    title="vacuum_buffer_usage_limit is 128kB to 16GB, or 0 for no limit",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="runtime-config-resource#GUC-VACUUM-BUFFER-USAGE-LIMIT",
    isolation="transaction",
    expect={
        "<16": "42704",
        ">=16": {"accepted": ["0", "128kB", "16GB"], "refused": {"127kB": "22023", "17GB": "22023"}},
    },
    note="The report doesn't say that 0 is allowed.",
)
def vacuum_buffer_usage_limit_range(lab):
    if absent := lab.sqlstate("SHOW vacuum_buffer_usage_limit"):
        return absent
    answers = {
        size: lab.sqlstate(f"SET vacuum_buffer_usage_limit = '{size}'")
        for size in ("0", "127kB", "128kB", "16GB", "17GB")
    }
    return {
        "accepted": [size for size, refused in answers.items() if not refused],
        "refused": {size: refused for size, refused in answers.items() if refused},
    }


@behavior(
    "16/buffer-usage-limit",
    title="VACUUM and ANALYZE have the option BUFFER_USAGE_LIMIT",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="sql-vacuum",
    expect={
        "<16": {"VACUUM": "42601", "ANALYZE": "42601", "both": "42601"},
        ">=16": {"VACUUM": None, "ANALYZE": None, "both": None},
    },
)
def buffer_usage_limit(lab):
    lab.sql("CREATE TABLE t_ring ()")
    return {
        "VACUUM": lab.sqlstate("VACUUM (BUFFER_USAGE_LIMIT '1MB') t_ring"),
        "ANALYZE": lab.sqlstate("ANALYZE (BUFFER_USAGE_LIMIT '1MB') t_ring"),
        "both": lab.sqlstate("VACUUM (ANALYZE, BUFFER_USAGE_LIMIT '1MB') t_ring"),
    }


@behavior(
    "16/buffer-usage-limit-refused",
    title="BUFFER_USAGE_LIMIT is refused out of its range, and with FULL",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="sql-vacuum",
    isolation="transaction",
    expect={
        "<16": {"64kB": "42601", "17GB": "42601", "FULL": "42601"},
        ">=16": {"64kB": "22023", "17GB": "22023", "FULL": "0A000"},
    },
)
def buffer_usage_limit_refused(lab):
    lab.sql("CREATE TABLE t_ring ()")
    return {
        "64kB": lab.sqlstate("VACUUM (BUFFER_USAGE_LIMIT '64kB') t_ring"),
        "17GB": lab.sqlstate("VACUUM (BUFFER_USAGE_LIMIT '17GB') t_ring"),
        "FULL": lab.sqlstate("VACUUM (FULL, BUFFER_USAGE_LIMIT '1MB') t_ring"),
    }


PAGES = 600


def create_cold(lab, tables, **settings):
    """Create tables of 600 pages with rows to remove, and restart, so that no page is in the shared buffers."""
    for table in tables:
        lab.sql(f"CREATE TABLE {table} (id int, v text)")
        lab.sql(f"ALTER TABLE {table} ALTER v SET STORAGE plain")
        lab.sql(f"INSERT INTO {table} SELECT g, repeat('x', 4000) FROM generate_series(1, {2 * PAGES}) g")
        lab.sql(f"DELETE FROM {table} WHERE id % 5 = 0")
    lab.restart(autovacuum=False, **settings)


def reused(lab, vacuum):
    """Count how often VACUUM's ring reuses a buffer, which it does once the ring is full."""
    counted = (
        "SELECT sum(reuses)::int FROM pg_stat_io"
        " WHERE backend_type = 'client backend' AND object = 'relation' AND context = 'vacuum'"
    )
    before = lab.value(counted)
    lab.sql(vacuum)
    lab.sql("SELECT pg_stat_force_next_flush()")
    return lab.value(counted) - before


@behavior(
    "16/buffer-ring-reuse",
    title="A larger BUFFER_USAGE_LIMIT lets VACUUM take more of the shared buffers",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="sql-vacuum",
    isolation="cluster",
    since="16",
    expect={
        "<16": "42601",
        "16": {"128kB": 584, "default": 568, "4MB": 88, "0": 0},
        ">=17": {"128kB": 584, "default": 344, "4MB": 88, "0": 0},
    },
    note=(
        "The report measures time. This shows the cause: of a table of 600 pages that are not in the shared"
        " buffers,"
        " all but 16 pages (128kB), 32 (256kB), 256 (2MB, the default since 17) or 512 (4MB) have to share"
        " a buffer of the ring; with 0 there is no ring."
    ),
)
def buffer_ring_reuse(lab):
    if absent := lab.sqlstate("VACUUM (BUFFER_USAGE_LIMIT '128kB')"):
        return absent
    create_cold(lab, ["t_128kb", "t_default", "t_4mb", "t_0"])
    return {
        "128kB": reused(lab, "VACUUM (BUFFER_USAGE_LIMIT '128kB') t_128kb"),
        "default": reused(lab, "VACUUM t_default"),
        "4MB": reused(lab, "VACUUM (BUFFER_USAGE_LIMIT '4MB') t_4mb"),
        "0": reused(lab, "VACUUM (BUFFER_USAGE_LIMIT '0') t_0"),
    }


@behavior(
    "16/buffer-ring-cap",
    title="The ring is never larger than an eighth of the shared buffers",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="runtime-config-resource#GUC-VACUUM-BUFFER-USAGE-LIMIT",
    isolation="cluster",
    expect={"<16": "42601", ">=16": 472},
    note="With shared_buffers at 8MB and a limit of 4MB, 128 of 600 pages are read before the ring is full: 1MB.",
)
def buffer_ring_cap(lab):
    if absent := lab.sqlstate("VACUUM (BUFFER_USAGE_LIMIT '128kB')"):
        return absent
    create_cold(lab, ["t_ring"], shared_buffers="8MB")
    return reused(lab, "VACUUM (BUFFER_USAGE_LIMIT '4MB') t_ring")


@behavior(
    "16/vacuumdb-buffer-usage-limit",
    title="vacuumdb has the option --buffer-usage-limit",
    area="vacuum",
    source=f"{REPORT}, 4.5.4",
    manual="app-vacuumdb",
    needs=["vacuumdb"],
    expect={"<16": "exit status 1", ">=16": "BUFFER_USAGE_LIMIT '1MB'"},
    note="The value is the option of the VACUUM command that vacuumdb sends, as --echo shows it.",
)
def vacuumdb_buffer_usage_limit(lab):
    lab.sql("CREATE TABLE t_ring ()")
    ran = lab.run("vacuumdb", "--echo", "--buffer-usage-limit=1MB", "--table=t_ring")
    sent = re.search(r"BUFFER_USAGE_LIMIT '\w+'", ran.output)
    return sent[0] if sent else f"exit status {ran.status}"
