"""Compression by PGLZ and LZ4, and string functions on both: from the article on LZ4 in PostgreSQL 14.

SQL computes the values, in place of the article's files, so that sizes are the same on every machine. Experiments
measure speed.
"""

from pytest_pgfeatures import behavior

ARTICLE = "LZ4 TOAST compression article (14)"
LZ4 = {"lz4": ">=14"}
RATIO = f"{ARTICLE}, Compression ratio"

RANDOM = "(SELECT string_agg(decode(md5(g::text), 'hex'), '') FROM generate_series(1, 500) g)"
"""8000 bytes that no method can compress."""

WORDS = """
    the of and to in a is that for it as was with be by on not he his but at are this have from or had an they
    which one you were all her she there would their we him been has when who will no more if out so said what
    up its about than into them can only other time new some could these two may first then do any like my
    now over such our man me even most made after also did many off before must well back through years much
"""
PROSE = f"""
    (SELECT string_agg(words[1 + ('x' || substr(md5(g::text), 1, 2))::bit(8)::int % array_length(words, 1)], ' ')
     FROM generate_series(1, 5000) g, regexp_split_to_array(btrim('{" ".join(WORDS.split())}'), ' ') words)
"""
"""25 kB of English words in no order."""


def create_both(lab, type="text"):
    """Create a table with a column for each method; return the SQLSTATE of a refusal."""
    return lab.sqlstate(
        f"CREATE TABLE t_both (pglz {type} COMPRESSION pglz, lz4 {type} COMPRESSION lz4, p int)"
    )


def percents(lab, value):
    """Return the size of a value by each method, in percent of its length."""
    if refused := create_both(lab):
        return refused
    lab.sql(f"INSERT INTO t_both SELECT v, v FROM (SELECT {value}) s(v)")
    sizes = "round(100.0 * pg_column_size({0}) / octet_length({0}))::int"
    pglz, lz4 = lab.sql(f"SELECT {sizes.format('pglz')}, {sizes.format('lz4')} FROM t_both")[0]
    return {"pglz": pglz, "lz4": lz4}


def compressed_from(lab, value):
    """Return the smallest percentage of equal bytes at which each method compresses a value.

    Parameters:
        value: 8000 bytes, of which p percent are the same byte.
    """
    if refused := create_both(lab, "bytea"):
        return refused
    lab.sql(
        f"""
        INSERT INTO t_both
        SELECT v, v, p FROM (SELECT {value}, p FROM {RANDOM} r(random), generate_series(0, 90) p) s(v, p)
        """
    )
    return {
        method: lab.value(f"SELECT min(p) FROM t_both WHERE pg_column_compression({method}) = '{method}'")
        for method in ("pglz", "lz4")
    }


# --- Ratios ------------------------------------------------------------------------------------------------


@behavior(
    "14/toast-ratio-text",
    title="PGLZ compresses text better than LZ4 does",
    area="storage",
    source=RATIO,
    manual="storage-toast",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"pglz": 41, "lz4": 62}},
    note=(
        "Percent of the original size, for words in no order. The article measures average ratios of 2.23 for PGLZ"
        " and 2.07 for LZ4, with whole documents."
    ),
)
def toast_ratio_text(lab):
    return percents(lab, PROSE)


@behavior(
    "14/toast-ratio-repetitive",
    title="LZ4 compresses highly repetitive text better than PGLZ does",
    area="storage",
    source=RATIO,
    manual="storage-toast",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"pglz": 1, "lz4": 0}},
    note="Percent of the original size. The article says that PGLZ is mostly smaller: this is an exception.",
)
def toast_ratio_repetitive(lab):
    return percents(lab, "repeat('abcdefghij', 10000)")


# --- When a method leaves a value as it is -----------------------------------------------------------------


@behavior(
    "14/toast-gives-up-ratio",
    title="PGLZ compresses a value only if it saves a quarter; LZ4, if it saves anything",
    area="storage",
    source=RATIO,
    manual="storage-toast",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"pglz": 34, "lz4": 1}},
    note=(
        "The smallest percentage of equal bytes at which a value is compressed; random bytes follow them. PGLZ"
        " writes random bytes with an eighth more."
    ),
)
def toast_gives_up_ratio(lab):
    return compressed_from(lab, "decode(repeat('00', 80 * p), 'hex') || substr(random, 1, 8000 - 80 * p)")


@behavior(
    "14/toast-gives-up-beginning",
    title="PGLZ gives up on a value whose first kilobyte it can't compress; LZ4 goes on",
    area="storage",
    source=RATIO,
    manual="storage-toast",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": {"pglz": 89, "lz4": 1}},
    note=(
        "The same percentage with the equal bytes at the end. At 89 percent, they begin within the first kilobyte"
        " of PGLZ's output."
    ),
)
def toast_gives_up_beginning(lab):
    return compressed_from(lab, "substr(random, 1, 8000 - 80 * p) || decode(repeat('00', 80 * p), 'hex')")


@behavior(
    "14/toast-hexadecimal-text",
    title="PGLZ leaves random hexadecimal text uncompressed, LZ4 compresses it",
    area="storage",
    source=RATIO,
    manual="storage-toast",
    isolation="transaction",
    needs=LZ4,
    expect={"<14": "42601", ">=14": [[None, "lz4"]]},
    note="8 kB of text. Half would be enough, but neither method counts letters, as zlib does.",
)
def toast_hexadecimal_text(lab):
    if refused := create_both(lab):
        return refused
    lab.sql(
        "INSERT INTO t_both"
        " SELECT v, v FROM (SELECT string_agg(md5(g::text), '') FROM generate_series(1, 256) g) s(v)"
    )
    return lab.sql("SELECT pg_column_compression(pglz), pg_column_compression(lz4) FROM t_both")


# --- String functions --------------------------------------------------------------------------------------


def create_prose(lab):
    """Create a table with the same text by each method, and uncompressed; return the SQLSTATE of a refusal."""
    if refused := create_both(lab):
        return refused
    lab.sql("ALTER TABLE t_both ADD plain text")
    lab.sql("ALTER TABLE t_both ALTER plain SET STORAGE EXTERNAL")
    lab.sql(f"INSERT INTO t_both (pglz, lz4, plain) SELECT v, v, v FROM (SELECT {PROSE}) s(v)")
    return None


def selected(lab, expression):
    """Return whether an expression gives the same for each method as for the uncompressed text."""
    return create_prose(lab) or {
        method: lab.value(f"SELECT {expression.format(method)} = {expression.format('plain')} FROM t_both")
        for method in ("pglz", "lz4")
    }


def updated(lab, expression):
    """Store the results of an expression; return their methods if all three results are equal."""
    if refused := create_prose(lab):
        return refused
    lab.sql(
        "UPDATE t_both SET "
        + ", ".join(f"{column} = {expression.format(column)}" for column in ("pglz", "lz4", "plain"))
    )
    return lab.sql(
        "SELECT pg_column_compression(pglz), pg_column_compression(lz4), pg_column_compression(plain)"
        " FROM t_both WHERE pglz = plain AND lz4 = plain"
    )


def function(name, call, expect):
    """Declare the behavior of one of the article's four string functions."""
    return behavior(
        f"14/toast-{name}",
        title=f"{call} gives the same result on text compressed by PGLZ and by LZ4",
        area="storage",
        source=f"{ARTICLE}, String functions",
        manual="functions-string",
        isolation="transaction",
        needs=LZ4,
        expect={"<14": "42601", ">=14": expect},
    )


READ = {"pglz": True, "lz4": True}
STORED = [["pglz", "lz4", None]]


@function("length", "length()", READ)
def toast_length(lab):
    return selected(lab, "length({})")


@function("substr", "substr()", READ)
def toast_substr(lab):
    return selected(lab, "substr({}, 10001, 100)")


@function("upper", "An UPDATE with upper()", STORED)
def toast_upper(lab):
    return updated(lab, "upper({})")


@function("textcat", "An UPDATE with textcat()", STORED)
def toast_textcat(lab):
    return updated(lab, "textcat({}, ' and so on')")
