package app

import org.jooq.DSLContext

class Catalog(private val db: DSLContext) {
    /** `SELECT daticulocale` is in the other class. */
    fun locales() = db.fetch("SELECT datname, daticulocale FROM pg_database")

    fun collations() = db.fetch(
        """
        SELECT collname,
               colliculocale
          FROM pg_collation
        """.trimIndent()
    )

    fun versions() = db.fetch("SELECT collname, collversion FROM pg_collation")

    fun elements() = db.fetch("SELECT domain_default FROM information_schema.element_types")

    fun domains() = db.fetch("SELECT domain_default FROM information_schema.domains")

    fun ours() = db.fetch("SELECT domain_default, wal_write FROM doc_key")

    fun progress() = db.fetch("SELECT pid, num_dead_tuples FROM pg_stat_progress_vacuum")

    fun phases() = db.fetch("SELECT pid, phase, heap_blks_total FROM pg_stat_progress_vacuum")

    fun resetSlru() = db.execute("SELECT pg_stat_reset_slru('MultiXactMember')")

    fun slru() = db.fetch("SELECT blks_hit FROM pg_stat_slru WHERE name = 'CommitTs'")

    fun otherSlru() = db.fetch("SELECT blks_hit FROM pg_stat_slru WHERE name = 'other'")

    fun tagged() = db.fetch("SELECT id FROM doc_tag WHERE tag = 'CommitTs'")

    fun records(from: String) =
        db.fetch("SELECT xid, fpi_length FROM pg_get_wal_records_info_till_end_of_wal({0}::pg_lsn)", from)

    fun record(from: String) =
        db.fetch("SELECT xid FROM pg_get_wal_records_info('0/1'::pg_lsn, '0/2'::pg_lsn)")

    fun reindex() = db.execute("REINDEX DATABASE docs")

    fun reindexTable() = db.execute("REINDEX TABLE doc")

    fun offsets() = db.fetch("SELECT attname, attcacheoff FROM pg_attribute")

    fun byteLengths() = db.fetch("SELECT attname, attlen FROM pg_attribute")

    fun zones() = db.fetch("SELECT abbrev FROM pg_timezone_abbrevs")

    fun zoneRows() = db.fetch("SELECT abbrev FROM pg_timezone_abbrevs() WHERE is_dst")
}
