"""The article on VACUUM in PostgreSQL 17: its two tables of 36 rows."""

from pytest_pgfeatures import Figure, Scaled, experiment

ARTICLE = "PostgreSQL 17 VACUUM article"

# The article's table sizes, in rows of pgbench_accounts. Quick has a 500th of the rows. Its least memory is 1MB, as
# 16 takes no less.
SIZES = {
    "128MB": Scaled(quick=2_000, document=1_000_000),
    "1.2GB": Scaled(quick=20_000, document=10_000_000),
    "6.4GB": Scaled(quick=100_000, document=50_000_000),
}
MEMORY = {
    "100MB": Scaled(quick="1MB", document="100MB"),
    "1GB": Scaled(quick="2MB", document="1GB"),
    "2GB": Scaled(quick="4MB", document="2GB"),
}
DEAD = {"3%": 3, "20%": 20, "50%": 50, "70%": 70}

# No.: milliseconds of 16 and 17, the averages and then the minima of three runs
TABLES = """
    390.93 267.12 345.03 197.04
    577.25 381.33 550.83 317.57
    920.76 509.63 811.89 376.69
    1391.13 728.74 1242.48 631.82
    300.69 299.27 275.71 291.66
    514.78 347.94 425.07 259.84
    896.07 577.41 841.99 550.52
    1198.84 796.36 999.68 749.50
    366.10 315.88 331.10 298.45
    508.27 339.60 495.26 258.04
    846.66 516.81 784.74 426.77
    948.73 717.32 912.72 583.05
    1255.49 737.16 968.59 557.47
    1899.89 1341.61 1540.69 1268.17
    3672.44 3404.83 3416.94 3194.94
    6105.10 5231.51 5577.01 4696.38
    1466.26 667.71 970.80 551.41
    2172.92 1355.85 1946.36 1327.45
    3644.15 3031.56 3545.97 2832.72
    6436.27 5500.77 6209.32 5433.36
    1451.44 720.35 1017.17 368.57
    1829.87 1367.44 1600.13 1341.08
    4157.50 2746.27 3997.26 2518.52
    6188.14 4995.54 5632.03 4040.26
    1781.20 1178.79 750.96 483.44
    5146.64 3901.61 4880.01 3147.09
    18773.99 13423.18 17287.59 12782.95
    95888.70 53907.74 88237.58 41811.85
    3011.47 1334.37 2003.05 702.85
    7101.87 3767.97 6735.83 3139.77
    16404.66 14138.50 15545.11 13828.69
    88320.60 43842.30 79510.03 31694.82
    2938.97 1070.92 1958.47 692.47
    6806.48 3380.05 6522.35 3198.40
    16694.91 13610.78 16282.01 13033.16
    88428.00 51531.61 78676.40 42381.07
"""


TRIED = (
    "In the server's CPU time, with the article's smallest table and 100MB, 17 took 1.07, 1.02, 1.07 and 0.94 of"
    " 16's for 3, 20, 50 and 70%: so 17 doesn't save computing there, and here files are in memory."
)


def figures():
    """Return the article's rows in its order: by size, memory and share."""
    rows = iter(TABLES.split("\n")[1:])
    for size in SIZES:
        for memory in MEMORY:
            for dead in DEAD:
                old, new, least_old, least_new = (float(number) / 1000 for number in next(rows).split())
                yield Figure(
                    f"average {old:.3g} and {new:.3g} s; least {least_old:.3g} and {least_new:.3g} s"
                    f" (ratio {least_new / least_old:.2f})",
                    values=(old, new),
                    quantity="time",
                    at={"table": size, "memory": memory, "dead": dead},
                    table="the geometric mean of the article's averages",
                    tried=TRIED,
                )


@experiment(
    "17/vacuum-time",
    title="VACUUM is faster, and scans indexes less often",
    source=f"{ARTICLE}, comparison",
    versions=("<17", ">=17"),
    parameters={"table": SIZES, "memory": MEMORY, "dead": DEAD},
    quantities={"time": "s", "index scans": "scans"},
    figures=tuple(figures()),
    room=lambda table, memory, dead: table * 180 * 4,
    note=(
        "The article has averages and minima of three runs each: the ratio is that of the averages, and the"
        " text has the minima, too. The article doesn't count index scans: 16 remembers dead rows in an"
        " array of limited size, 17 in a tree. It names neither disk nor settings; our files are in memory,"
        " without fsync. It doesn't say which rows it updated: here they are spread evenly. Quick has a"
        " 500th of the rows, and 1, 2, 4 MB of memory:"
        " where VACUUM takes milliseconds, work that both versions share, and other work of the machine,"
        " hide the difference. With half of the smallest table's rows and 100MB, files on a disk, and"
        " fsync, the ratios for"
        " 3, 20, and 50% were 0.73, 1.03, and 0.85."
    ),
)
def vacuum_time(bench, table, memory, dead):
    bench.sql(
        "CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84));"
        f" INSERT INTO pgbench_accounts SELECT g, 1, 0, '' FROM generate_series(1, {table}) g"
    )
    bench.sql("VACUUM ANALYZE pgbench_accounts")
    bench.sql(f"SET maintenance_work_mem = '{memory}'")
    notices: list[str] = []
    bench.connection.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    while True:
        bench.sql(f"UPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid % 100 < {dead}")
        bench.sql("CHECKPOINT")
        notices.clear()
        # Only its messages have the number of index scans
        seconds = bench.seconds("VACUUM (VERBOSE, PARALLEL 0) pgbench_accounts")
        yield {"time": seconds, "index scans": index_scans(notices)}


def index_scans(notices):
    """Return the number of index scans from VACUUM's messages about the table, at least 1 to have a ratio."""
    (line,) = (text for text in notices if "pgbench_accounts" in text and "index scans: " in text)
    return max(1, int(line.partition("index scans: ")[2].split()[0]))
