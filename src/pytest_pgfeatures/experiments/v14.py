"""The article on LZ4 for TOAST: its six figures."""

from functools import cache, partial

from pytest_pgfeatures import Figure, Scaled, experiment
from pytest_pgfeatures.experiments.v14_data import KINDS, entropy, files_of

ARTICLE = "LZ4 TOAST compression article (14)"
METHODS = ("lz4", "pglz", "none")
SIZE = Scaled(quick=200_000, document=10_000_000)
NOTE = (
    "The article's files aren't available: these files are of the same kinds, made from a seed; their"
    " entropy is shown. Times include transfers between client and server. With files in memory,"
    " compression saves little time of writing."
)
files_of = cache(files_of)


def toast(id, title, section, text, figures, kinds=True, note="", others=(), tried=None, **more):
    """Declare an experiment of the article, on each of its kinds of data."""
    return experiment(
        id,
        title=title,
        source=f"{ARTICLE}, {section}",
        methods=METHODS,
        pg=">=14",
        parameters={**({"data": list(KINDS)} if kinds else {}), "size": SIZE, **more.pop("parameters", {})},
        figures=(
            *(
                Figure(
                    text,
                    **{"claims" if isinstance(value, str) else "ratio": value, "side": side},
                    tried=(tried or {}).get(side, ""),
                )
                for side, value in figures.items()
            ),
            *others,
        ),
        needs=("lz4",),
        room=lambda size, **_: size * 3 * 20 + 400 * 1024**2,
        note=f"{NOTE} {note}".strip(),
        **more,
    )


def create(bench, data):
    """Create a table whose values are stored by the side's method."""
    type = KINDS[data][0]
    if bench.side == "none":
        bench.sql(f"CREATE TABLE t (v {type}); ALTER TABLE t ALTER v SET STORAGE EXTERNAL")
    else:
        bench.sql(f"CREATE TABLE t (v {type} COMPRESSION {bench.side})")


def insert(files, times, connection):
    with connection.cursor() as cursor:
        for _ in range(times):
            for file in files:
                cursor.execute(b"INSERT INTO t VALUES (%b)", [file])


def select(times, connection):
    with connection.cursor(binary=True) as cursor:
        for _ in range(times):
            cursor.execute(b"SELECT v FROM t").fetchall()


@toast(
    "14/toast-sizes",
    "PGLZ makes tables a little smaller than LZ4 does",
    "Compression ratio",
    "ratios of 2.23 for PGLZ and 2.07 for LZ4 on average",
    {"pglz": 2.07 / 2.23, "none": 2.07},
    quantities={"size": "bytes"},
    note=(
        "PGLZ stores nine bits for each byte that it has not seen before, LZ4 eight: so the picture, which"
        " is mostly noise, is larger with PGLZ."
    ),
)
def toast_sizes(bench, data, size):
    create(bench, data)
    files = files_of(data, size)
    insert(files, 1, bench.connection)
    bench.fact("entropy", entropy(files))
    yield bench.value("SELECT pg_table_size('t')")


@toast(
    "14/toast-insert",
    "INSERT takes far less time with LZ4 than with PGLZ",
    "Speed",
    "LZ4 takes 20% of PGLZ's time, and a little more than without compression",
    {"pglz": (1 / 0.205, 1 / 0.195), "none": "less"},
    tried={
        "pglz": "In the server's CPU time alone, PGLZ took 2.65 times LZ4's, and with files of 2 MB 3.12 times,"
        " from 1.8 to 4.6 by the kind of file: the data matters more than the other work of an INSERT.",
    },
)
def toast_insert(bench, data, size):
    create(bench, data)
    while True:
        bench.sql("TRUNCATE t")
        yield bench.at_once(partial(insert, files_of(data, size), 3))


@toast(
    "14/toast-select",
    "SELECT takes less time with LZ4 than with PGLZ",
    "Speed",
    "LZ4 takes 20% less time than PGLZ, and about as long as without compression",
    {"pglz": (1 / 0.805, 1 / 0.795), "none": "no difference"},
    tried={
        "pglz": "In the server's CPU time alone, PGLZ took 1.28 times LZ4's, and with files of 2 MB 1.50"
        " times: the cause is the files' size and data.",
        "none": "In the server's CPU time alone, none took 0.95 of LZ4's, and with files of 2 MB 0.88.",
    },
)
def toast_select(bench, data, size):
    create(bench, data)
    insert(files_of(data, size), 1, bench.connection)
    while True:
        yield bench.at_once(partial(select, 5))


@toast(
    "14/toast-insert-16-clients",
    "INSERT of 16 clients takes less time with LZ4 than with PGLZ",
    "Speed",
    "LZ4 is 60 to 70% better than PGLZ for one large file, and much better than without compression",
    {"pglz": (1 / 0.4, 1 / 0.3), "none": "more"},
    others=(Figure("slightly better for small files", claims="more", side="pglz", at={"data": "pg doc"}),),
    note=(
        "The article had 20 cores to compress for 16 clients, and a disk to write to. Here two processors"
        " compress for all clients, and writing to memory costs little, so that storing values uncompressed"
        " takes less time."
        " With files on a disk and fsync, the ratio of none to LZ4 rose from 0.75 to 0.95 for English text, from"
        " 0.78 to 1.98 for the picture, and stayed at about 1 for exe."
    ),
)
def toast_insert_16_clients(bench, data, size):
    create(bench, data)
    while True:
        bench.sql("TRUNCATE t")
        yield bench.at_once(*[partial(insert, files_of(data, size), 1)] * 16)


@toast(
    "14/toast-select-16-clients",
    "SELECT of 16 clients takes less time with LZ4 than with PGLZ",
    "Speed",
    "LZ4 is better than PGLZ mostly",
    {"pglz": "more"},
)
def toast_select_16_clients(bench, data, size):
    create(bench, data)
    insert(files_of(data, size), 1, bench.connection)
    while True:
        yield bench.at_once(*[partial(select, 1)] * 16)


STATEMENTS = {
    "length": "SELECT length(v) FROM t",
    "substr": "SELECT substr(v, 2000, 50) FROM t",
    "upper": "UPDATE t SET v = upper(v)",
    "textcat": "UPDATE t SET v = textcat(v, 'and so on')",
}


@toast(
    "14/toast-string-functions",
    "String functions take less time on LZ4's text than on PGLZ's",
    "String functions",
    "LZ4 is better than PGLZ, and about as fast as without compression",
    {"pglz": "more", "none": "no difference"},
    kinds=False,
    parameters={"statement": STATEMENTS},
)
def toast_string_functions(bench, size, statement):
    create(bench, "English text")
    while True:
        bench.sql("TRUNCATE t")
        insert(files_of("English text", size), 2, bench.connection)
        yield bench.seconds(statement)
