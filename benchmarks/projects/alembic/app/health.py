from sqlalchemy import text

LABELS = {"buffers": "Buffers written by backends (buffers_backend)"}

WRITTEN = text("SELECT buffers_backend FROM pg_stat_bgwriter")
ALLOCATED = text("SELECT buffers_alloc, maxwritten_clean FROM pg_stat_bgwriter")
CHECKPOINTS = text(
    """
    SELECT
        checkpoints_req,
        stats_reset
    FROM pg_stat_bgwriter
    """
)
DEFAULTED = text(
    "SELECT attname FROM pg_attribute WHERE attrelid = 'accounts'::regclass AND attstattarget = -1"
)
RAISED = text("SELECT attname FROM pg_attribute WHERE attrelid = 'accounts'::regclass AND attstattarget = 500")
CONTEXTS = text("SELECT name, parent FROM pg_backend_memory_contexts WHERE used_bytes > :bytes")
TOP = text("SELECT name FROM pg_backend_memory_contexts WHERE level = 0")
TREE = text("SELECT name, parent FROM tree WHERE level = 0")
BIG = text("SELECT name, ident FROM pg_backend_memory_contexts WHERE total_bytes > :bytes")
LOCALE = text("SELECT current_setting('lc_ctype')")
MONEY = text("SELECT current_setting('lc_monetary')")
COLLATIONS = text("SELECT collname, colliculocale FROM pg_collation")
OFFSETS = text("SELECT attname, attcacheoff FROM pg_attribute WHERE attnum > 0")
ABBREVIATIONS = text("SELECT abbrev FROM pg_timezone_abbrevs()")
ZONES = text("SELECT name FROM pg_timezone_names()")


def wal(session):
    # wal_write was in pg_stat_wal
    session.execute(text("SELECT wal_write, wal_bytes FROM pg_stat_wal"))
    session.execute(text("SELECT wal_records, wal_bytes FROM pg_stat_wal"))
