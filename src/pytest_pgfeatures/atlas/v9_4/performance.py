"""Performance: part 1 of the PostgreSQL 9.4 verification report.

Experiments measure speed. These behaviors observe what is the same on any machine: the pages of an index, the
pages that a search reads, and the bytes of WAL.
"""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 9.4 verification report"
ITEM_POINTER = 6

# --- GIN ---------------------------------------------------------------------------------------------------


def create_arrays(lab, elements, rows):
    """Create a table of integer arrays.

    Parameters:
        elements: an expression over the row's number ``g``, such as ``ARRAY[g % 10]``.
    """
    lab.sql("CREATE TABLE t_gin (id int, a int[])")
    lab.sql(f"INSERT INTO t_gin SELECT g, {elements} FROM generate_series(1, {rows}) g")


def create_index(lab):
    lab.set(maintenance_work_mem="64MB")  # up to 9.3 the default is smaller: the index gets another shape
    lab.sql("CREATE INDEX t_gin_a ON t_gin USING gin (a) WITH (fastupdate = off)")


def is_compressed(lab, entries):
    """Return whether the index takes less than an item pointer's six bytes per entry."""
    return lab.value(f"SELECT pg_relation_size('t_gin_a') < {ITEM_POINTER * entries}")


@behavior(
    "9.4/gin-size",
    title="A GIN index with few keys takes less than an item pointer's six bytes per row",
    area="performance",
    source=f"{REPORT}, GIN (2)",
    manual="release-9-4",
    isolation="transaction",
    expect={"<9.4": False, ">=9.4": True},
    note="One key in 100,000 rows: 77 pages of 8 kB up to 9.3, 16 from 9.4 on.",
)
def gin_size(lab):
    create_arrays(lab, "ARRAY[1]", 100_000)
    create_index(lab)
    return is_compressed(lab, 100_000)


@behavior(
    "9.4/gin-size-many-keys",
    title="A GIN index with many keys takes less than an item pointer's six bytes per entry",
    area="performance",
    source=f"{REPORT}, GIN (2)",
    manual="release-9-4",
    isolation="transaction",
    expect={"<9.4": False, ">=9.4": True},
    note=(
        "Four of 1,000 keys in each of 50,000 rows: 245 pages up to 9.3, 80 from 9.4 on. The report measures a"
        " fifth, with fewer keys."
    ),
)
def gin_size_many_keys(lab):
    create_arrays(lab, "ARRAY[g % 1000, g % 997, g % 500, g % 100]", 50_000)
    create_index(lab)
    return is_compressed(lab, 200_000)


@behavior(
    "9.4/gin-size-inserted",
    title="A GIN index that grows by INSERT is smaller, too",
    area="performance",
    source=f"{REPORT}, GIN (2)",
    manual="release-9-4",
    isolation="transaction",
    expect={"<9.4": False, ">=9.4": True},
    note=(
        "Two keys in each of 20,000 rows: 62 pages up to 9.3, 20 from 9.4 on. The report measures 30% less time"
        " for the INSERTs."
    ),
)
def gin_size_inserted(lab):
    lab.sql("CREATE TABLE t_gin (id int, a int[])")
    create_index(lab)
    lab.sql("INSERT INTO t_gin SELECT g, ARRAY[g % 1000, g % 10] FROM generate_series(1, 20000) g")
    return is_compressed(lab, 40_000)


@behavior(
    "9.4/gin-fast-scan",
    title="A GIN search for a rare and a frequent key skips most of the frequent one's rows",
    area="performance",
    source=f"{REPORT}, GIN (2)",
    manual="release-9-4",
    expect={"<9.4": {"rows": 4, "few pages": False}, ">=9.4": {"rows": 4, "few pages": True}},
    note=(
        "The report counts rows whose array contains several keys, and measures 10% less time. Here one key is"
        " in each of 100,000 rows, the other in four. EXPLAIN (ANALYZE, BUFFERS) counts the pages of the index:"
        " 9.3 reads 78, though 13 are enough. Up to 40 count as few."
    ),
)
def gin_fast_scan(lab):
    create_arrays(lab, "ARRAY[1, CASE WHEN g % 25000 = 0 THEN 2 ELSE 3 END]", 100_000)
    create_index(lab)
    lab.sql("VACUUM ANALYZE t_gin")
    lab.set(enable_seqscan=False)
    plan = lab.explain("SELECT * FROM t_gin WHERE a @> ARRAY[1, 2]", analyze=True, buffers=True, timing=False)
    scan = plan.one("Bitmap Index Scan*")
    read = scan["Shared Hit Blocks"] + scan["Shared Read Blocks"]
    return {"rows": int(scan.actual_rows), "few pages": read <= 40}


# --- WAL ---------------------------------------------------------------------------------------------------


def update_wal(lab, assignments):
    """Return the bytes of WAL per updated row, averaged over 10,000 rows, to the nearest ten."""
    lab.sql("CREATE TABLE t_upd (id int, c char(200), n int, m int) WITH (fillfactor = 40)")
    lab.sql("INSERT INTO t_upd SELECT g, md5(g::text), g, g FROM generate_series(1, 10000) g")
    lab.sql("VACUUM t_upd")
    return round(lab.wal_bytes(f"UPDATE t_upd SET {assignments}") / 100_000) * 10


@behavior(
    "9.4/update-wal",
    title="An UPDATE writes only what it changes to WAL",
    area="performance",
    source=f"{REPORT}, WAL (1)",
    manual="release-9-4",
    isolation="cluster",
    expect={"<9.4": 300, ">=9.4": 70},
    note=(
        "Bytes of WAL per updated row, to the nearest ten. Each of 10,000 rows has 240 bytes, and changes in one"
        " integer. The report measures 6% less WAL for all of pgbench, 15% less for its UPDATE. With wal_level ="
        " logical, the server still writes the whole row."
    ),
)
def update_wal_of_one_column(lab):
    return update_wal(lab, "n = n + 1")


@behavior(
    "9.4/update-wal-all-columns",
    title="An UPDATE that changes everything writes as much WAL as before",
    area="performance",
    source=f"{REPORT}, WAL (1)",
    manual="release-9-4",
    isolation="cluster",
    expect={"<9.4": 300, ">=9.4": 290},
    note="Bytes of WAL per row. The new row has hardly anything in common with the old one.",
)
def update_wal_of_all_columns(lab):
    return update_wal(lab, "id = -id, c = reverse(c), n = -n, m = -m")
