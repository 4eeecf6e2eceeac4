"""Loading data, and pg_dump: sections 4.1.4, 4.1.5 and 4.4.3 of the PostgreSQL 16 verification report."""

from pytest_pgfeatures import Figure, Scaled, experiment

REPORT = "PostgreSQL 16 verification report"
SINCE_16 = ("<16", ">=16")


@experiment(
    "16/concurrent-copy",
    title="COPY by many clients into one table is faster",
    source=f"{REPORT}, 4.1.4",
    versions=SINCE_16,
    parameters={
        "clients": {"32": 32, "64": 64},
        "copies": Scaled(quick=128, document=2048),
        "rows": Scaled(quick=1_000, document=12_543),  # 2,623 MB in all, as the report says
    },
    quantities={"COPYs": "tps"},
    figures=(
        Figure(
            "5 to 10% faster on XFS, with no clear result; 13% and 16% on ext4",
            ratio=1.13,
            at={"clients": "32"},
        ),
        Figure(
            "5 to 10% faster on XFS, with no clear result; 13% and 16% on ext4",
            ratio=1.16,
            at={"clients": "64"},
        ),
    ),
    settings={"shared_buffers": "1GB", "max_connections": "120"},
    room=lambda clients, copies, rows: rows * copies * 110 * 2,
    note=(
        "The report measured 16beta2, whose COPY had a regression that the release does not have. It had more"
        " processors, and files on a disk; here they are in memory unless PGFEATURES_RUN says otherwise."
    ),
)
def concurrent_copy(bench, clients, copies, rows):
    source = bench.server_file("copy.data")
    bench.sql("CREATE UNLOGGED TABLE t_copy1 (id int, v text)")
    bench.sql(f"COPY (SELECT g, repeat('x', 96) FROM generate_series(1, {rows}) g) TO '{source}'")
    while True:
        bench.sql("TRUNCATE t_copy1")
        yield bench.pgbench(f"COPY t_copy1 FROM '{source}';", clients=clients, transactions=copies // clients)


@experiment(
    "16/ascii-check-time",
    title="COPY checks ASCII text faster",
    source=f"{REPORT}, 4.1.5",
    versions=SINCE_16,
    parameters={"rows": Scaled(quick=20_000, document=100_000)},
    figures=Figure("20% less time for 100,000 rows of 1,600 letters", ratio=0.8),
    room=lambda rows: rows * 1700 * 4,
)
def ascii_check_time(bench, rows):
    source = bench.server_file("t5.bin")
    bench.sql("CREATE UNLOGGED TABLE t5 (t text)")
    bench.sql(f"INSERT INTO t5 SELECT repeat(md5(g::text), 50) FROM generate_series(1, {rows}) g")
    bench.sql(f"COPY t5 TO '{source}' WITH (FORMAT binary, ENCODING 'sql_ascii')")
    while True:
        bench.sql("TRUNCATE t5")
        yield bench.seconds(f"COPY t5 FROM '{source}' WITH (FORMAT binary, ENCODING 'sql_ascii')")


JSON = (
    "1234567890-^^asdghjkl;:zxcvbnm,./QWERTYUIOPPASDFGHJKLZXCVBNBM<;@ejeak452hg0snkdkbnor09g309ae09jv0a9sdn0af9j0a9"
    "nglsllagsdfasdf5gaj09j0jioib908()sdlkg57hJKeuh!#sdalllSgf___igjoiwdyaohfd-=eijgu[][]sxxQQ"
)
"""The report's text."""


@experiment(
    "16/json-check-time",
    title="Reading a JSON string is faster",
    source=f"{REPORT}, 4.1.5",
    versions=SINCE_16,
    parameters={"transactions": Scaled(quick=3_000, document=100_000)},
    quantities={"queries": "tps"},
    figures=Figure("40% more transactions a second", ratio=1.4),
    note=(
        "A transaction is also a message to the server and its answer, which 16 makes no faster. The report says"
        " that its results varied."
    ),
)
def json_check_time(bench, transactions):
    while True:
        yield bench.pgbench(f"SELECT '\"{JSON}\"'::jsonb;", clients=1, transactions=transactions)


LEVELS = {
    "none": "none",
    "gzip": "gzip",
    "lz4": "lz4",
    "zstd": "zstd",
    "gzip:9": "gzip:level=9",
    "lz4:12": "lz4:level=12",
    "zstd:22": "zstd:level=22",
}


@experiment(
    "16/pg-dump-compression",
    title="pg_dump's compression methods and levels: size and time",
    source=f"{REPORT}, 4.4.3",
    methods=tuple(LEVELS),
    pg=">=16",
    parameters={"rows": Scaled(quick=10_000, document=100_000)},
    quantities={"time": "s", "size": "bytes"},
    figures=(
        *(Figure("smaller", claims="less", quantity="size", side=side) for side in [*LEVELS][1:]),
        Figure(
            "the highest level of some methods takes far longer", claims="more", quantity="time", side="zstd:22"
        ),
    ),
    needs=("lz4", "zstd", "pg_dump"),
    room=lambda rows: rows * 2 * 150 * 7,
    note=(
        "The report's charts have no numbers in the text: it gives the order of sizes (zstd, gzip, lz4, none), and"
        " says that the highest levels take far longer for little."
    ),
)  # fmt: skip
def pg_dump_compression(bench, rows):
    bench.sql(
        "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));"
        f" INSERT INTO pgbench_accounts SELECT g, 1, 0, '' FROM generate_series(1, {rows}) g"
    )
    file = bench.file("db1.dmp")
    while True:
        seconds = bench.run("pg_dump", "-f", file, "-Z", LEVELS[bench.side])
        size = next(path for path in file.parent.iterdir() if path.name.startswith("db1.dmp")).stat().st_size
        yield {"time": seconds, "size": size}
