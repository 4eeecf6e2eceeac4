"""Methods of wal_compression in 15, which the article on LZ4 in PostgreSQL 14 looked forward to."""

from pytest_pgfeatures import behavior

SOURCE = "LZ4 TOAST compression article (14), Outlook"
MANUAL = "runtime-config-wal#GUC-WAL-COMPRESSION"


@behavior(
    "15/wal-compression-type",
    title="wal_compression names a method rather than being on or off",
    area="wal",
    source=SOURCE,
    manual=MANUAL,
    since="15",
    isolation="transaction",
    expect={"<9.5": "42704", "9.5..14": ["bool", "off"], ">=15": ["enum", "off"]},
    note="9.5 brought the setting; on means pglz.",
)
def wal_compression_type(lab):
    return (
        lab.sqlstate("SHOW wal_compression")
        or lab.sql("SELECT vartype, boot_val FROM pg_settings WHERE name = 'wal_compression'")[0]
    )


def halves(lab, method):
    """Return whether a method more than halves the WAL of full-page images; the SQLSTATE if the server refuses it.

    The first change of a page after a checkpoint writes the whole page to WAL.
    """
    if refused := lab.sqlstate(f"SET wal_compression = {method}"):
        return refused
    lab.sql("CREATE TABLE t_page AS SELECT repeat('x', 100) AS v FROM generate_series(1, 20000)")
    written = {}
    for row, setting in enumerate(("off", method), start=1):
        lab.sql("VACUUM FREEZE t_page")
        lab.sql("CHECKPOINT")
        lab.set(wal_compression=setting)
        written[setting] = lab.wal_bytes(f"DELETE FROM t_page WHERE ctid::text LIKE '(%,{row})'")
    return written[method] < written["off"] / 2


@behavior(
    "9.5/wal-compression",
    title="Full-page images in WAL can be compressed",
    area="wal",
    source=SOURCE,
    manual=MANUAL,
    isolation="cluster",
    expect={"<9.5": "42704", ">=9.5": True},
    note="By PGLZ, the only method up to 14.",
)
def wal_compression(lab):
    return halves(lab, "on")


@behavior(
    "15/wal-compression-lz4",
    title="WAL can be compressed by LZ4",
    area="wal",
    source=SOURCE,
    manual=MANUAL,
    needs={"lz4": ">=15"},
    isolation="cluster",
    since="15",
    expect={"<9.5": "42704", "9.5..14": "22023", ">=15": True},
)
def wal_compression_lz4(lab):
    return halves(lab, "lz4")


@behavior(
    "15/wal-compression-zstd",
    title="WAL can be compressed by Zstandard",
    area="wal",
    source=SOURCE,
    manual=MANUAL,
    needs={"zstd": ">=15"},
    isolation="cluster",
    since="15",
    expect={"<9.5": "42704", "9.5..14": "22023", ">=15": True},
    note="The article wishes for Zstandard, for TOAST as well, which still doesn't have it.",
)
def wal_compression_zstd(lab):
    return halves(lab, "zstd")
