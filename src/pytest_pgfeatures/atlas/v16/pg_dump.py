"""Compression in pg_dump: section 4.4.3 of the PostgreSQL 16 verification report.

pg_dump has the server's major.
"""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"
# A build may lack a method; before 16 no behavior needs it.
NEEDS = {"pg_dump": "all", "lz4": ">=16", "zstd": ">=16"}

MAGIC = {b"\x1f\x8b": "gzip", b"\x04\x22": "lz4", b"\x28\xb5": "zstd", b"--": "plain"}
"""The first two bytes of a compressed file, and of a dump that is plain SQL."""


def fill(lab, rows=5000):
    """Create a table like pgbench's accounts, which the report dumps."""
    lab.sql("CREATE TABLE accounts (aid int PRIMARY KEY, bid int, abalance int, filler char(84))")
    lab.sql("INSERT INTO accounts SELECT g, 1, 0, '' FROM generate_series(1, %s) g", [rows])


def dumped(lab, path, compression):
    """Dump with -Z. Return the format of the file, or that pg_dump refuses."""
    ran = lab.run("pg_dump", "-Z", compression, "-f", path)
    return MAGIC[path.read_bytes()[:2]] if ran.status == 0 else "refused"


METHODS = ("none", "gzip", "lz4", "zstd")


@behavior(
    "16/pg-dump-compression",
    title="pg_dump -Z takes a method: none, gzip, lz4 or zstd",
    area="clients",
    source=f"{REPORT}, 4.4.3",
    manual="app-pgdump",
    since="16",
    needs=NEEDS,
    expect={
        "<15": {
            "none": "plain",
            "gzip": "plain",
            "lz4": "plain",
            "zstd": "plain",
            "foo": "plain",
            "5": "gzip",
        },
        "15": dict.fromkeys(METHODS, "refused") | {"foo": "refused", "5": "gzip"},
        ">=16": {
            "none": "plain",
            "gzip": "gzip",
            "lz4": "lz4",
            "zstd": "zstd",
            "foo": "refused",
            "5": "gzip",
        },
    },
    note=(
        "The format of the file, by its first bytes. Up to 14, pg_dump reads a word as level 0, and writes"
        " an uncompressed dump without a warning. A number alone is a level of gzip on every major."
    ),
)
def pg_dump_compression(lab, tmp_path):
    fill(lab)
    return {value: dumped(lab, tmp_path / "dump", value) for value in (*METHODS, "foo", "5")}


LEVELS = ("gzip:1", "gzip:9", "gzip:10", "lz4:1", "lz4:12", "lz4:13", "zstd:-5", "zstd:19", "zstd:23")


@behavior(
    "16/pg-dump-compression-levels",
    title="pg_dump -Z takes a level after the method: gzip to 9, lz4 to 12, zstd to 22",
    area="clients",
    source=f"{REPORT}, 4.4.3",
    manual="app-pgdump",
    since="16",
    needs=NEEDS,
    expect={
        "<15": dict.fromkeys(LEVELS, "plain"),
        "15": dict.fromkeys(LEVELS, "refused"),
        ">=16": {
            "gzip:1": "gzip",
            "gzip:9": "gzip",
            "gzip:10": "refused",
            "lz4:1": "lz4",
            "lz4:12": "lz4",
            "lz4:13": "refused",
            "zstd:-5": "zstd",
            "zstd:19": "zstd",
            "zstd:23": "refused",
        },
    },
    note="zstd:22 is valid, too; it is not tried, since it needs nearly a gigabyte of memory.",
)
def pg_dump_compression_levels(lab, tmp_path):
    fill(lab, rows=100)
    return {value: dumped(lab, tmp_path / "dump", value) for value in LEVELS}


@behavior(
    "16/pg-dump-compression-sizes",
    title="zstd makes the smallest dump, then gzip, then lz4",
    area="clients",
    source=f"{REPORT}, 4.4.3",
    manual="app-pgdump",
    since="16",
    needs=NEEDS,
    expect={"<15": "one size", "15": "refused", ">=16": ["zstd", "gzip", "lz4", "none"]},
    note=(
        "Smallest first, each method with its default level. The report also says that the highest level"
        " always gives a smaller dump: with zstd that depends on the data."
    ),
)
def pg_dump_compression_sizes(lab, tmp_path):
    fill(lab)
    formats = {method: dumped(lab, tmp_path / method, method) for method in METHODS}
    if len(set(formats.values())) == 1:
        return "one size" if formats["none"] == "plain" else "refused"
    return sorted(METHODS, key=lambda method: (tmp_path / method).stat().st_size)


@behavior(
    "16/pg-dump-compression-restore",
    title="pg_restore reads archives of every compression method",
    area="clients",
    source=f"{REPORT}, 4.4.3",
    manual="app-pgrestore",
    since="16",
    needs=NEEDS | {"pg_restore": "all"},
    expect={
        "<15": dict.fromkeys(METHODS, "5000 rows, compression 0"),
        "15": dict.fromkeys(METHODS, "refused"),
        ">=16": {
            "none": "5000 rows, compression none",
            "gzip": "5000 rows, compression gzip",
            "lz4": "5000 rows, compression lz4",
            "zstd": "5000 rows, compression zstd",
        },
    },
    note="The number of rows restored, and the compression that pg_restore -l shows.",
)
def pg_dump_compression_restore(lab, tmp_path):
    fill(lab)

    def restored(method):
        archive = tmp_path / method
        if lab.run("pg_dump", "-Fc", "-Z", method, "-f", archive).status:
            return "refused"
        lab.sql("DROP TABLE IF EXISTS accounts")
        lab.run("pg_restore", "-d", lab.value("SELECT current_database()"), archive)
        listed = lab.run("pg_restore", "-l", archive).output
        compression = listed.partition("Compression:")[2].split()[0]
        return f"{lab.value('SELECT count(*) FROM accounts')} rows, compression {compression}"

    return {method: restored(method) for method in METHODS}


@behavior(
    "16/pg-dump-directory-compression",
    title="In directory format, file suffixes show pg_dump's method; tar format refuses methods",
    area="clients",
    source=f"{REPORT}, 4.4.3",
    manual="app-pgdump",
    since="16",
    needs=NEEDS,
    expect={
        "<15": {"gzip": ".dat", "lz4": ".dat", "zstd": ".dat", "tar, lz4": "written"},
        "15": {"gzip": "refused", "lz4": "refused", "zstd": "refused", "tar, lz4": "refused"},
        ">=16": {"gzip": ".dat.gz", "lz4": ".dat.lz4", "zstd": ".dat.zst", "tar, lz4": "refused"},
    },
)
def pg_dump_directory_compression(lab, tmp_path):
    fill(lab)
    found = {}
    for method in ("gzip", "lz4", "zstd"):
        directory = tmp_path / method
        refused = lab.run("pg_dump", "-Fd", "-Z", method, "-f", directory).status
        suffixes = {"".join(file.suffixes) for file in directory.glob("[0-9]*")}
        found[method] = "refused" if refused else ", ".join(suffixes)
    refused = lab.run("pg_dump", "-Ft", "-Z", "lz4", "-f", tmp_path / "tar").status
    return found | {"tar, lz4": "refused" if refused else "written"}
