"""VACUUM: sections 4.5.3 and 4.5.4 of the PostgreSQL 16 verification report."""

from pytest_pgfeatures import Figure, Scaled, experiment

REPORT = "PostgreSQL 16 verification report"


@experiment(
    "16/freeze-wal",
    title="VACUUM FREEZE writes less WAL",
    source=f"{REPORT}, 4.5.3",
    versions=("<16", ">=16"),
    parameters={"rows": Scaled(quick=100_000, document=100_000)},
    quantities={"WAL": "bytes"},
    figures=Figure("a quarter of 15's WAL for 100,000 rows; 16 wrote 329,696 bytes", ratio=0.25),
    room=lambda rows: rows * 400,
)
def freeze_wal(bench, rows):
    bench.sql("CREATE TABLE t_freeze (id int, v text)")
    bench.sql("CHECKPOINT")
    bench.sql(f"INSERT INTO t_freeze SELECT g, md5(g::text) FROM generate_series(1, {rows}) g")
    yield bench.wal_bytes("VACUUM FREEZE t_freeze")


@experiment(
    "16/vacuum-buffer-usage-limit",
    title="VACUUM is faster with a larger ring buffer",
    source=f"{REPORT}, 4.5.4",
    methods=("default", "64MB"),
    pg=">=16",
    parameters={"rows": Scaled(quick=200_000, document=750_000)},
    figures=Figure("60% of the default's time with BUFFER_USAGE_LIMIT '64MB'", ratio=0.6),
    settings={"shared_buffers": "1GB", "fsync": "on"},
    room=lambda rows: rows * 2 * 100,
    note=(
        "A small ring makes VACUUM flush WAL to disk each time before it reuses a page. So fsync is on"
        " here, but with files in memory a flush costs nothing, and a larger ring only takes more memory."
        " With files on a"
        " disk (PGFEATURES_RUN names a directory there), 200,000 rows took 0.47 of the default's time with fsync,"
        " and 0.88 without. From 17 on the default is 2MB instead of 256kB."
    ),
)
def vacuum_buffer_usage_limit(bench, rows):
    limit = {"default": "", "64MB": "(BUFFER_USAGE_LIMIT '64MB')"}[bench.side]
    while True:
        bench.sql("DROP TABLE IF EXISTS t_ringbuffer; CREATE TABLE t_ringbuffer (id int, val text)")
        bench.sql(f"INSERT INTO t_ringbuffer SELECT g, md5(g::text) FROM generate_series(1, {rows}) g")
        bench.sql("DELETE FROM t_ringbuffer WHERE id % 5 = 0")
        bench.restart()  # shared buffers are empty then
        yield bench.seconds(f"VACUUM {limit} t_ringbuffer")
