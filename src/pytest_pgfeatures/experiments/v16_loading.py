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
        "rows": Scaled(quick=1_000, document=12_543),  # 2,623 MB in total, as the report says
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
    figures=Figure(
        "40% more transactions a second",
        ratio=1.4,
        tried=(
            "In one query of 20,000 such strings, 16 took 0.43 of 15's CPU time; in 2,000 queries of one,"
            " 0.96: the messages between client and server take most of a transaction, and 16 makes them no"
            " faster."
        ),
    ),
    room=lambda transactions: 1024**2,
    note="The report says that its results varied.",
)
def json_check_time(bench, transactions):
    while True:
        yield bench.pgbench(f"SELECT '\"{JSON}\"'::jsonb;", clients=1, transactions=transactions)


ACCOUNTS = (
    "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));"
    " INSERT INTO pgbench_accounts SELECT g, 1, 0, '' FROM generate_series(1, {rows}) g"
)
ROWS = Scaled(quick=10_000, document=100_000)
DUMPED = {"time": "s", "size": "bytes"}
CHARTS = "The report's text has no numbers for its charts: it only gives the order of the sizes."


def dumped(bench, compress):
    """Return the seconds that pg_dump takes, and the size of its file."""
    file = bench.file("db1.dmp")
    seconds = bench.run("pg_dump", "-f", file, "-Z", compress)
    size = next(path for path in file.parent.iterdir() if path.name.startswith("db1.dmp")).stat().st_size
    return {"time": seconds, "size": size}


@experiment(
    "16/pg-dump-methods",
    title="pg_dump's compression methods: size and time",
    source=f"{REPORT}, 4.4.3",
    methods=("gzip", "zstd", "lz4", "none"),
    pg=">=16",
    parameters={"rows": ROWS},
    quantities=DUMPED,
    figures=(
        Figure("zstd's file is smaller than gzip's", claims="less", quantity="size", side="zstd"),
        Figure("gzip's file is smaller than lz4's", claims="more", quantity="size", side="lz4"),
    ),
    needs=("lz4", "zstd", "pg_dump"),
    room=lambda rows: rows * 2 * 150 * 4,
    note=CHARTS,
)  # fmt: skip
def pg_dump_methods(bench, rows):
    bench.sql(ACCOUNTS.format(rows=rows))
    while True:
        yield dumped(bench, bench.side)


HIGHEST = {"gzip": 9, "lz4": 12, "zstd": 22}


@experiment(
    "16/pg-dump-levels",
    title="pg_dump's highest compression levels beside the default ones: size and time",
    source=f"{REPORT}, 4.4.3",
    methods=("default", "highest"),
    pg=">=16",
    parameters={"method": list(HIGHEST), "rows": ROWS},
    quantities=DUMPED,
    figures=(
        *(
            Figure(f"{method}'s file is smaller", claims="less", quantity="size", at={"method": method})
            for method in HIGHEST
        ),
        Figure("it takes far longer with some methods", claims="more", quantity="time", at={"method": "zstd"}),
    ),
    needs=("lz4", "zstd", "pg_dump"),
    room=lambda method, rows: rows * 2 * 150 * 2,
    note=f"{CHARTS} It does not say there which methods take far longer.",
)  # fmt: skip
def pg_dump_levels(bench, method, rows):
    bench.sql(ACCOUNTS.format(rows=rows))
    while True:
        yield dumped(bench, method if bench.side == "default" else f"{method}:level={HIGHEST[method]}")
