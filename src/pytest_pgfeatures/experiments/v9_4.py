"""The slides on PostgreSQL 9.4.

No build of 9.4 is available. The build of 9.5 is compiled without optimization: it takes three times as long
as 9.3 to compute MD5 sums. So 9.3 is compared with 9.6, which has all features of 9.4.
"""

from pytest_pgfeatures import Figure, Scaled, experiment

REPORT = "PostgreSQL 9.4 verification report"
SINCE_9_4 = ("<9.4", ">=9.6")
NOT_9_4 = (
    "No build of 9.4 is available, and the build of 9.5 is compiled without optimization: the newer side is"
    " 9.6, which has further improvements."
)

ARRAYS = """
    CREATE TABLE t_gin (id int, a int[]);
    INSERT INTO t_gin SELECT g, ARRAY[g % 10, g % 50, g % 100, 100 + g % 7] FROM generate_series(1, {rows}) g
"""
"""Few keys, each in many rows: an index of a fifth of the size, as on the slides, needs long lists."""


def gin(id, title, quantity, unit, text, ratio, tried="", **more):
    """Declare an experiment with the slides' table of arrays; the slides make four claims about it."""
    return experiment(
        id,
        title=title,
        source=f"{REPORT}, GIN (2)",
        versions=SINCE_9_4,
        parameters={"rows": Scaled(quick=50_000, document=500_000)},
        quantities={quantity: unit},
        figures=Figure(text, ratio=ratio, tried=tried),
        room=lambda rows: rows * 400,
        note=f"{NOT_9_4} The slides don't show their arrays; these have few keys, each in many rows.",
        **more,
    )


@gin("9.4/gin-index-size", "A GIN index is smaller", "size", "bytes", "a fifth of the size", 0.2)
def gin_index_size(bench, rows):
    bench.sql(ARRAYS.format(rows=rows))
    bench.sql("CREATE INDEX t_gin_a ON t_gin USING gin (a)")
    yield bench.value("SELECT pg_relation_size('t_gin_a')")


@gin("9.4/gin-index-build", "A GIN index is built faster", "time", "s", "20% better", 0.8)
def gin_index_build(bench, rows):
    bench.sql(ARRAYS.format(rows=rows))
    while True:
        yield bench.seconds("CREATE INDEX t_gin_a ON t_gin USING gin (a)")
        bench.sql("DROP INDEX t_gin_a")


@gin("9.4/gin-index-insert", "Rows are inserted faster into a GIN index", "time", "s", "30% better", 0.7)
def gin_index_insert(bench, rows):
    bench.sql(ARRAYS.format(rows=0))
    bench.sql("CREATE INDEX t_gin_a ON t_gin USING gin (a)")
    while True:
        bench.sql("TRUNCATE t_gin")
        yield bench.seconds(ARRAYS.format(rows=rows).partition(";")[2])


@gin(
    "9.4/gin-index-search",
    "A search by a GIN index is faster",
    "time",
    "s",
    "10% better",
    0.9,
    tried="In CPU time 9.6 took 0.57 of 9.3's for these searches, 1.06 for MD5 sums, and 0.99 for a scan of"
    " the table: the builds are not the cause.",
)
def gin_index_search(bench, rows):
    bench.sql(ARRAYS.format(rows=rows))
    bench.sql("CREATE INDEX t_gin_a ON t_gin USING gin (a)")
    bench.sql("VACUUM ANALYZE t_gin")
    bench.sql("SET enable_seqscan = off")
    while True:
        yield bench.seconds(
            *[f"SELECT count(*) FROM t_gin WHERE a @> ARRAY[{key}, 101]" for key in range(5, 50, 5)]
        )


WHOLE_PAGES = (
    "With full_page_writes off the ratios were 0.73 and 0.62, with whole pages 0.82 and 0.80: the larger"
    " the share of whole pages in the WAL, the smaller the effect."
)


@experiment(
    "9.4/update-wal-volume",
    title="UPDATE writes less WAL",
    source=f"{REPORT}, WAL (1)",
    versions=SINCE_9_4,
    parameters={
        "transaction": {"pgbench": "pgbench", "UPDATE only": "update"},
        "transactions": Scaled(quick=1_000, document=50_000),
        "rows": Scaled(quick=2_000, document=100_000),  # of pgbench at scale 1
    },
    quantities={"WAL": "bytes"},
    figures=(
        Figure("6% less", ratio=0.94, at={"transaction": "pgbench"}, tried=WHOLE_PAGES),
        Figure("15% less", ratio=0.85, at={"transaction": "UPDATE only"}, tried=WHOLE_PAGES),
    ),
    settings={"checkpoint_timeout": "1h"},
    room=lambda transaction, transactions, rows: 300 * 1024**2,
    steps=lambda transaction, transactions, rows: transactions,
    note=(
        f"{NOT_9_4} The first change writes each page as a whole, as after a checkpoint, and so quick has"
        " fewer rows for its fewer transactions."
    ),
)  # fmt: skip
def update_wal_volume(bench, transaction, transactions, rows):
    bench.sql(
        "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84))"
        " WITH (fillfactor = 90);"
        "CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int, filler char(84));"
        "CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int, filler char(88));"
        "CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));"
        f"INSERT INTO pgbench_accounts SELECT g, 1, 0, '' FROM generate_series(1, {rows}) g;"
        "INSERT INTO pgbench_tellers SELECT g, 1, 0 FROM generate_series(1, 10) g;"
        "INSERT INTO pgbench_branches VALUES (1, 0)"
    )  # fmt: skip
    bench.sql("VACUUM ANALYZE")
    script = f"\\set aid random(1, {rows})\n\\set delta random(-5000, 5000)\n"
    script += "UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;\n"
    if transaction == "pgbench":
        script = f"{script}\\set tid random(1, 10)\n".replace("UPDATE", "BEGIN;\nUPDATE") + (
            "SELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n"
            "UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;\n"
            "UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = 1;\n"
            "INSERT INTO pgbench_history VALUES (:tid, 1, :aid, :delta, CURRENT_TIMESTAMP);\nEND;\n"
        )
    while True:
        bench.sql("CHECKPOINT")
        position = bench.wal_position()
        bench.pgbench(script, clients=1, transactions=transactions)
        yield bench.wal_bytes_since(position)


@experiment(
    "9.4/concurrent-wal",
    title="Clients write WAL at the same time",
    source=f"{REPORT}, WAL (2)",
    versions=SINCE_9_4,
    parameters={
        "clients": {str(clients): clients for clients in (1, 2, 4, 8, 16, 32)},
        "transactions": Scaled(quick=1_600, document=160_000),
    },
    quantities={"transactions": "tps"},
    figures=(
        *(
            Figure(
                "about 5% better, on eight cores with files in memory",
                ratio=1.05,
                at={"clients": str(clients)},
                table="about 5% better, on eight cores with files in memory",
            )
            for clients in (2, 4, 8, 16, 32)
        ),
    ),
    settings={"max_connections": "60", "synchronous_commit": "off"},
    room=lambda clients, transactions: 2 * 1024**3,
    steps=lambda clients, transactions: transactions,
    note=(
        f"{NOT_9_4} The slides' machine had eight cores. On two, few clients write WAL at the same time. With one"
        " or two clients 9.6 is slower here even into an unlogged table, which has almost no WAL (ratios of 0.6 to"
        " 0.9): WAL is not the cause. The ratio grows with the number of clients, which shows 9.4's"
        " improvement."
    ),
)
def concurrent_wal(bench, clients, transactions):
    bench.sql("CREATE TABLE t_wal (id serial, v text)")
    while True:
        bench.sql("TRUNCATE t_wal")
        yield bench.pgbench(
            "INSERT INTO t_wal (v) SELECT repeat('x', 500) FROM generate_series(1, 5);",
            clients=clients,
            transactions=transactions // clients,
        )


LOG = """
    SELECT ('{"ts":"' || timestamp '2014-08-23 21:26:21' + g * interval '1 second' || '","pid":' || 10000 + g % 5000
        || ',"lev":"' || (ARRAY['debug', 'info', 'warning', 'error', 'fatal'])[1 + g % 5 * (g % 7) % 5]
        || '","tag":"' || (ARRAY['aaa', 'bbb', 'ccc', 'ddd'])[1 + g % 4]
        || '","mes":"' || repeat(md5(g::text), 4) || '"}')::TYPE
    FROM generate_series(1, ROWS) g
"""
"""Make log lines like those that the slides show."""
INDEXES = {
    "json": "",
    "jsonb": "",
    "json + 4 btree": "; ".join(
        f"CREATE INDEX ON t_logb ((j ->> '{field}'))" for field in ("ts", "pid", "lev", "tag")
    ),
    "jsonb + GIN": "CREATE INDEX ON t_logb USING gin (j)",
    "jsonb + GIN, unlogged": "CREATE INDEX ON t_logb USING gin (j)",
}


def create_log(bench, kind, key="PRIMARY KEY"):
    table = "UNLOGGED TABLE" if kind.endswith("unlogged") else "TABLE"
    bench.sql(f"CREATE {table} t_logb (id serial {key}, j {kind.partition(' ')[0]})")
    if INDEXES[kind]:
        bench.sql(INDEXES[kind])


def lines(kind, rows):
    return LOG.replace("TYPE", kind.partition(" ")[0]).replace("ROWS", str(rows))


LOADING = (
    "In one INSERT ... SELECT of 20,000 rows, jsonb took the server 1.29 times the CPU time of json; in INSERTs of"
    " one row, 1.16 times: what else a statement takes hides the difference."
)


@experiment(
    "9.4/json-loading",
    title="Loading jsonb takes a little longer than loading json",
    source=f"{REPORT}, JSONB (1)",
    methods=tuple(INDEXES),
    pg=">=9.6",
    parameters={"rows": Scaled(quick=1_000, document=100_000)},
    figures=(Figure("4 to 5% slower", ratio=(1.04, 1.05), side="jsonb", tried=LOADING),),
    room=lambda rows: rows * 1000 * 4,
    note=(
        "No build of 9.4 is available: this is 9.6. The slides' text has no numbers for the bars of the"
        " indexes. The bars of the table with a GIN index, logged and unlogged, are beside another"
        " product's (JSONB (3))."
    ),
)
def json_loading(bench, rows):
    create_log(bench, bench.side)
    statements = [f"INSERT INTO t_logb (j) VALUES ('{line}')" for (line,) in bench.sql(lines("text", rows))]
    while True:
        bench.sql("TRUNCATE t_logb")
        yield bench.seconds(*statements)


@experiment(
    "9.4/json-search",
    title="Searching jsonb takes half the time of searching json",
    source=f"{REPORT}, JSONB (2)",
    methods=("json", "jsonb"),
    pg=">=9.6",
    parameters={
        "index": {"none": False, "function": True},
        "rows": Scaled(quick=20_000, document=1_400_000),
    },
    figures=(
        Figure("half the time, without an index", ratio=0.5, at={"index": "none"}),
        Figure("no difference with an index on the field", claims="no difference", at={"index": "function"}),
    ),
    room=lambda index, rows: rows * 400 * 2,
    note=(
        "No build of 9.4 is available: this is 9.6. The slides don't say how many rows there were; the ids"
        " reach 1,400,004."
        " Their query took seconds, and so read all rows: here the table has no primary key, with which the"
        " query would find the last hundred rows at once."
    ),
)
def json_search(bench, index, rows):
    create_log(bench, bench.side, key="")
    bench.sql(f"INSERT INTO t_logb (j) {lines(bench.side, rows)}")
    query = "SELECT id, j->'ts', j->'mes' FROM t_logb WHERE (j->'lev')::text = '\"fatal\"'"
    query += " ORDER BY id DESC LIMIT 100"
    if index:
        bench.sql("CREATE INDEX ON t_logb (((j->'lev')::text), id)")
    statements = [query] * (20 if index else 1)
    bench.sql("VACUUM ANALYZE t_logb")
    while True:
        yield bench.seconds(*statements)
