"""VACUUM's memory for dead rows: the article on VACUUM in PostgreSQL 17.

The article measures time. These behaviors show what doesn't depend on the machine: the number of index scans,
the limit of the memory, and the memory used.
"""

import os
import re

from pytest_pgfeatures import NotYet, behavior
from pytest_pgfeatures.affects import Column

ARTICLE = "PostgreSQL 17 VACUUM article"

# --- The number of index scans -----------------------------------------------------------------------------


def create_dead(lab, rows):
    """Create a table with an index, and delete all rows."""
    lab.sql(f"CREATE TABLE t_dead AS SELECT generate_series(1, {rows}) AS id")
    lab.sql("ALTER TABLE t_dead ADD PRIMARY KEY (id)")
    lab.sql("DELETE FROM t_dead")


def index_scans(report):
    """Count the scans of the table's index, as VACUUM VERBOSE reports them."""
    if counted := re.search(r"index scans: (\d+)", report):
        return int(counted[1])
    return report.count('scanned index "t_dead_pkey"')  # up to 14


@behavior(
    "17/vacuum-index-scans",
    title="VACUUM remembers more dead rows in the same memory, and so scans indexes less often",
    area="vacuum",
    source=f"{ARTICLE}, improvements",
    manual="runtime-config-resource#GUC-MAINTENANCE-WORK-MEM",
    isolation="cluster",
    expect={"<17": 2, ">=17": 1},
    note=(
        "Scans of the index for 200,000 dead rows with maintenance_work_mem at 1MB. An array of 6 bytes a row"
        " held 174,762 of them; the radix tree of 17 takes a few bits a row where they lie close together."
    ),
)
def vacuum_index_scans(lab):
    create_dead(lab, 200_000)
    lab.set(maintenance_work_mem="1MB")
    return index_scans("\n".join(lab.notices("VACUUM VERBOSE t_dead")))


@behavior(
    "17/maintenance-work-mem-minimum",
    title="maintenance_work_mem may be as small as 64kB",
    area="vacuum",
    source=f"{ARTICLE}, improvements",
    manual="runtime-config-resource#GUC-MAINTENANCE-WORK-MEM",
    isolation="transaction",
    expect={"<17": "22023", ">=17": None},
    note="1MB up to 16. The article doesn't say it.",
)
def maintenance_work_mem_minimum(lab):
    return lab.sqlstate("SET maintenance_work_mem = '64kB'")


# --- The limit of the memory -------------------------------------------------------------------------------


@behavior(
    "17/vacuum-progress-columns",
    title="pg_stat_progress_vacuum shows the memory for dead rows in bytes",
    area="vacuum",
    source=f"{ARTICLE}, improvements",
    manual="progress-reporting#VACUUM-PROGRESS-REPORTING",
    kind="incompatibility",
    since="17",
    isolation="transaction",
    expect={
        "<9.6": NotYet([]),
        "9.6..16": ["max_dead_tuples", "num_dead_tuples"],
        ">=17": ["max_dead_tuple_bytes", "dead_tuple_bytes", "num_dead_item_ids"],
    },
    note="The view came with 9.6. 17 adds indexes_total and indexes_processed as well.",
    remedy=(
        "In monitoring that divides num_dead_tuples by max_dead_tuples, use dead_tuple_bytes and"
        " max_dead_tuple_bytes instead."
    ),
    affects=Column("pg_stat_progress_vacuum", "max_dead_tuples", "num_dead_tuples"),
)
def vacuum_progress_columns(lab):
    columns = lab.sql(
        "SELECT attname FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid"
        " WHERE relname = 'pg_stat_progress_vacuum' AND attname LIKE '%dead%' ORDER BY attnum"
    )
    return [name for (name,) in columns]


PAGES = 620_000
"""More pages than 1 GB of memory can remember: up to 16, VACUUM takes no more memory than the table could need."""
SEGMENT = 131_072
"""Pages in one file of a table."""


def stretch(lab, table):
    """Extend a table to ``PAGES`` empty pages, in sparse files that take no space on disk."""
    path = lab.cluster.datadir / lab.value(f"SELECT pg_relation_filepath('{table}')")
    owner = path.stat()
    segments, rest = divmod(PAGES, SEGMENT)
    for number in range(segments + 1):
        segment = path.with_name(f"{path.name}.{number}") if number else path
        # This may run as root, in a directory that the servers' user can write to: follow no symbolic link there.
        file = os.open(segment, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        os.ftruncate(file, (SEGMENT if number < segments else rest) * 8192)
        os.fchown(file, owner.st_uid, owner.st_gid)
        os.close(file)


def has_progress_view(lab):
    return lab.sqlstate("SELECT 1 FROM pg_stat_progress_vacuum") is None


def progress_of_held(lab, holding, vacuum, phase):
    """Return the row of ``pg_stat_progress_vacuum`` while VACUUM waits for a page that a cursor has pinned.

    Parameters:
        holding: the cursor's query: an index-only scan pins a page of an index, any other scan one of the table.
        phase: the phase in which VACUUM waits.
    """
    from concurrent.futures import ThreadPoolExecutor

    reader, vacuuming = lab.session("reader"), lab.session("vacuum")
    reader.sql("BEGIN")
    reader.sql("SET LOCAL enable_seqscan = off")
    reader.sql(f"DECLARE held CURSOR FOR {holding}")
    reader.sql("FETCH held")
    vacuuming.set(maintenance_work_mem="4GB")
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(vacuuming.sqlstate, vacuum)
        lab.cluster.poll_query_until(
            f"SELECT count(*) FROM pg_stat_progress_vacuum WHERE phase = '{phase}'", 1
        )
        row = lab.sql("SELECT row_to_json(p) FROM pg_stat_progress_vacuum p")[0][0]
        lab.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_progress_vacuum")
        done.result()
    return row


@behavior(
    "17/vacuum-memory-cap",
    title="VACUUM uses more than 1 GB of maintenance_work_mem",
    area="vacuum",
    source=f"{ARTICLE}, improvements",
    manual="runtime-config-resource#GUC-MAINTENANCE-WORK-MEM",
    isolation="cluster",
    since="17",
    expect={
        "<9.6": None,
        "9.6..12": {"max_dead_tuples": 178_956_970},
        "13..16": {"max_dead_tuples": 178_956_969},
        ">=17": {"max_dead_tuple_bytes": 4_294_967_296},
    },
    note=(
        "With maintenance_work_mem = 4GB. Up to 16, VACUUM remembers as many dead rows as fit into 1 GB at"
        " 6 bytes each. Before 9.6, there is no pg_stat_progress_vacuum."
    ),
)
def vacuum_memory_cap(lab):
    if not has_progress_view(lab):
        return None
    lab.sql("CREATE TABLE t_long (id int) WITH (autovacuum_enabled = off)")
    lab.sql("INSERT INTO t_long VALUES (1)")
    lab.sql("CREATE INDEX ON t_long (id)")
    lab.sql("CHECKPOINT")
    stretch(lab, "t_long")
    row = progress_of_held(lab, "SELECT * FROM t_long", "VACUUM FREEZE t_long", "scanning heap")
    return {name: value for name, value in row.items() if name.startswith("max_dead")}


# --- The memory used ---------------------------------------------------------------------------------------


def memory_for_dead(lab, condition):
    """Compare VACUUM's memory for dead rows, while it scans the index, with an array of 6 bytes a row.

    Parameters:
        condition: selects the rows to delete of 100,000; the row 0 stays.
    """
    if not has_progress_view(lab):
        return None
    lab.sql(
        "CREATE TABLE t_dead WITH (autovacuum_enabled = off) AS"
        " SELECT g AS id, 'xxxxxxxxxx'::text AS v FROM generate_series(0, 100000) g"
    )
    lab.sql("ALTER TABLE t_dead ADD PRIMARY KEY (id)")
    lab.sql("VACUUM t_dead")
    lab.sql(f"DELETE FROM t_dead WHERE id > 0 AND {condition}")
    row = progress_of_held(lab, "SELECT id FROM t_dead ORDER BY id", "VACUUM t_dead", "vacuuming indexes")
    if "dead_tuple_bytes" not in row:
        return "not reported"
    array = 6 * row["num_dead_item_ids"]
    return "less than an array" if row["dead_tuple_bytes"] < array else "more than an array"


@behavior(
    "17/vacuum-memory-dense",
    title="Dead rows that lie close together take less memory",
    area="vacuum",
    source=f"{ARTICLE}, other improvements",
    manual="progress-reporting#VACUUM-PROGRESS-REPORTING",
    isolation="cluster",
    since="17",
    expect={"<9.6": None, "9.6..16": "not reported", ">=17": "less than an array"},
    note=(
        "100,000 dead rows, all but one of the table: 600,000 bytes in an array, 230,000 in a radix tree."
        " The article mentions a twentieth. That needs more rows a page; a tree starts with about 200,000"
        " bytes."
    ),
)
def vacuum_memory_dense(lab):
    return memory_for_dead(lab, "true")


@behavior(
    "17/vacuum-memory-sparse",
    title="Few dead rows, far from each other, take more memory",
    area="vacuum",
    source=f"{ARTICLE}, other improvements",
    manual="progress-reporting#VACUUM-PROGRESS-REPORTING",
    isolation="cluster",
    since="17",
    expect={"<9.6": None, "9.6..16": "not reported", ">=17": "more than an array"},
    note=(
        "500 dead rows of 100,000: 3,000 bytes in an array, 205,000 in a radix tree. The article says that"
        " the saving depends on where the dead rows are, but not that it can be negative."
    ),
)
def vacuum_memory_sparse(lab):
    return memory_for_dead(lab, "id % 200 = 0")
