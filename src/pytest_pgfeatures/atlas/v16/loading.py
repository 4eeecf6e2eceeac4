"""Loading data: sections 4.1.4 and 4.1.5 of the PostgreSQL 16 verification report.

Experiments measure the speed. These behaviors show what doesn't depend on the machine: the pages of a
relation, and that no row is lost and no wrong text is accepted.
"""

from pytest_pgfeatures import behavior

REPORT = "PostgreSQL 16 verification report"

# --- 4.1.4 Relation extension in COPY ----------------------------------------------------------------------


def copy_lines(rows, first=1):
    """Return lines for COPY into ``(id int, v text)``: a number and 100 letters."""
    return "".join(f"{number}\t{'x' * 100}\n" for number in range(first, first + rows))


def create_copied(lab):
    lab.sql("CREATE TABLE t_copy (id int, v text)")


def pages(lab):
    """Return the number of pages of ``t_copy``, and the number of those with a row."""
    return lab.sql(
        "SELECT pg_relation_size('t_copy') / current_setting('block_size')::int,"
        " count(DISTINCT split_part(ctid::text, ',', 1)) FROM t_copy"
    )[0]


@behavior(
    "16/copy-extends-in-bulk",
    title="COPY adds several pages at once to a relation",
    area="performance",
    source=f"{REPORT}, 4.1.4",
    manual="release-16#RELEASE-16-PERFORMANCE",
    isolation="transaction",
    expect={
        "<16": {"pages used": 345, "pages ahead": False},
        ">=16": {"pages used": 345, "pages ahead": True},
    },
    note=(
        "The pages after one COPY of 20,000 rows: since 16, the file is longer than its rows need, as"
        " pages are added in groups. The report measures throughput, and calls its own result inconclusive"
        " on XFS;"
        " 16beta2 had a regression in COPY that the release does not have."
    ),
)
def copy_extends_in_bulk(lab):
    create_copied(lab)
    lab.copy_in("COPY t_copy FROM STDIN", copy_lines(20_000))
    total, used = pages(lab)
    return {"pages used": used, "pages ahead": total > used}


@behavior(
    "16/copy-concurrently",
    title="Concurrent COPY into one relation loses no rows",
    area="performance",
    source=f"{REPORT}, 4.1.4",
    manual="sql-copy",
    expect={"all": {"rows": 20_000, "different": 20_000, "pages missing": False}},
    note="The number of pages depends on the order in which sessions extend the relation; the number of"
    " rows doesn't.",
)
def copy_concurrently(lab):
    from concurrent.futures import ThreadPoolExecutor

    create_copied(lab)
    sessions = [lab.session() for _ in range(4)]
    with ThreadPoolExecutor(len(sessions)) as pool:
        copies = [
            pool.submit(
                session.copy_in, "COPY t_copy FROM STDIN", copy_lines(5_000, first=1 + 5_000 * number)
            )
            for number, session in enumerate(sessions)
        ]
    for copy in copies:
        copy.result()
    rows, different = lab.sql("SELECT count(*), count(DISTINCT id) FROM t_copy")[0]
    total, used = pages(lab)
    return {"rows": rows, "different": different, "pages missing": total < used}


@behavior(
    "16/copy-in-pg-stat-io",
    title="pg_stat_io shows by how much COPY extended a relation",
    area="performance",
    source=f"{REPORT}, 4.1.4",
    manual="monitoring-stats#MONITORING-PG-STAT-IO-VIEW",
    since="16",
    expect={"<16": "42P01", "16..17": "extends * op_bytes", ">=18": "extend_bytes"},
    note=(
        "16 and 17 count pages in extends, each of op_bytes; 18 counts operations in extends, of several"
        " pages each, and bytes in extend_bytes. Before 16 there is no such view."
    ),
)
def copy_in_pg_stat_io(lab):
    if absent := lab.sqlstate("SELECT 1 FROM pg_stat_io"):
        return absent
    (counted,) = (
        expression
        for expression in ("extends * op_bytes", "extend_bytes")
        if lab.sqlstate(f"SELECT {expression} FROM pg_stat_io") is None
    )
    extended = (
        f"SELECT sum({counted}) FROM pg_stat_io"
        " WHERE backend_type = 'client backend' AND object = 'relation' AND context = 'bulkwrite'"
    )
    before = lab.value(extended)
    create_copied(lab)
    lab.copy_in("COPY t_copy FROM STDIN", copy_lines(20_000))
    lab.sql("SELECT pg_stat_force_next_flush()")
    size = lab.value("SELECT pg_relation_size('t_copy')")
    return counted if lab.value(extended) - before >= size else "less than the relation's size"


# --- 4.1.5 Checking of ASCII and JSON strings with SIMD instructions ---------------------------------------

LENGTHS = (1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65)
"""Lengths around the widths of vector registers, where a check in steps could fail."""


def spoiled(text, wrong):
    """Return ``text`` with ``wrong`` in place of its first, its middle or its last character."""
    return [text[:at] + wrong + text[at + 1 :] for at in sorted({0, len(text) // 2, len(text) - 1})]


@behavior(
    "16/ascii-check",
    title="Vectorized checking of ASCII text finds an invalid first, middle or last character",
    area="performance",
    source=f"{REPORT}, 4.1.5",
    manual="multibyte",
    isolation="transaction",
    expect={"all": {"accepted": 11, "refused": ["22021"], "COPY restores": True}},
    note="The report measures its speed. Every version accepts and refuses the same texts.",
)
def ascii_check(lab):
    text = "The quick brown fox jumps over the lazy dog, 0123456789 times and more."
    accepted, refused = 0, set()
    for length in LENGTHS:
        good = text[:length].encode()
        accepted += lab.sqlstate("SELECT convert_from(decode(%s, 'hex'), 'UTF8')", [good.hex()]) is None
        for bad in spoiled(good, b"\xff"):
            refused.add(lab.sqlstate("SELECT convert_from(decode(%s, 'hex'), 'UTF8')", [bad.hex()]))
    lab.sql(
        "CREATE TABLE t5 AS SELECT g AS id, repeat(md5(g::text), 50) AS t FROM generate_series(1, 2000) g"
    )
    lab.sql("CREATE TABLE t6 (id int, t text)")
    copied = lab.copy_out("COPY t5 TO STDOUT (FORMAT binary, ENCODING 'sql_ascii')")
    lab.copy_in("COPY t6 FROM STDIN (FORMAT binary, ENCODING 'sql_ascii')", copied)
    different = lab.value("SELECT count(*) FROM (SELECT * FROM t5 EXCEPT SELECT * FROM t6) d")
    restored = different == 0 and lab.value("SELECT count(*) FROM t6") == 2000
    return {"accepted": accepted, "refused": sorted(refused, key=str), "COPY restores": restored}


@behavior(
    "16/json-check",
    title="Vectorized checking of JSON strings finds an invalid first, middle or last character",
    area="performance",
    source=f"{REPORT}, 4.1.5",
    manual="datatype-json",
    isolation="transaction",
    expect={"all": {"accepted": 11, "refused": ["22P02"]}},
    note=(
        "The report measures its speed. Every version accepts and refuses the same texts."
        " The refused ones have a control character, an unescaped quote, or an escape that JSON does not"
        " have."
    ),
)
def json_check(lab):
    text = "The quick brown fox jumps over the lazy dog, 0123456789 times and more."
    accepted, refused = 0, set()
    for length in LENGTHS:
        accepted += lab.sqlstate("SELECT %s::json", [f'"{text[:length]}"']) is None
        for wrong in ("\x01", '"', "\\x"):
            for bad in spoiled(text[:length], wrong):
                refused.add(lab.sqlstate("SELECT %s::json", [f'"{bad}"']))
    return {"accepted": accepted, "refused": sorted(refused, key=str)}
