package nl.tidewire.cdc.slot

import org.jooq.DSLContext

/** Where the consumers are: one row per slot in cdc.position. */
class SlotPositions(private val ctx: DSLContext, private val sourceId: Int) {

    fun remember(slot: String) {
        ctx.execute(
            """
            INSERT INTO cdc.position (source_id, slot_name, lsn_text, lsn_bytes)
            SELECT ?, s.slot_name, '-', s.confirmed_flush_lsn - '0/0'::pg_lsn
              FROM pg_replication_slots s
             WHERE s.slot_name = ?
                ON CONFLICT (source_id, slot_name)
                DO UPDATE SET lsn_bytes = excluded.lsn_bytes, saved_at = now()
            """.trimIndent(),
            sourceId, slot,
        )
    }

    /** Slots that have moved although we have not: somebody else reads from them. */
    fun stolen(): List<String> =
        ctx.fetch(
            """
            SELECT p.slot_name
              FROM cdc.position p
              JOIN pg_replication_slots s USING (slot_name)
             WHERE p.lsn_text <> '-'
               AND p.lsn_text <> s.confirmed_flush_lsn::text
            """.trimIndent()
        ).map { it.get(0, String::class.java) }

    fun lagBytes(slot: String): Long? =
        ctx.fetchOne(
            "SELECT (pg_current_wal_lsn() - confirmed_flush_lsn)::bigint " +
                "FROM pg_replication_slots WHERE slot_name = ?",
            slot,
        )?.get(0, Long::class.java)

    /** Behind the point from which the archive was rebuilt. */
    fun beforeRebuild(slot: String): Boolean =
        ctx.fetchOne(
            "SELECT confirmed_flush_lsn < '0/16B3748'::pg_lsn FROM pg_replication_slots WHERE slot_name = ?",
            slot,
        )?.get(0, Boolean::class.java) ?: true
}
