package nl.tidewire.cdc.monitor

import org.jooq.DSLContext

/** Writes a sample of the source's counters each time the outbox is empty. */
class Collector(private val ctx: DSLContext) {

    private val serverVersionNum: Int by lazy {
        ctx.fetchValue("SELECT current_setting('server_version_num')::int") as Int
    }

    fun sample() {
        val checkpoints = if (serverVersionNum >= 170000) {
            "SELECT num_timed FROM pg_stat_checkpointer"
        } else {
            "SELECT checkpoints_timed FROM pg_stat_bgwriter"
        }
        val timed = ctx.fetchValue(checkpoints) as Long
        val sync = ctx.fetchValue(WAL_TIME) as Double
        ctx.execute(
            "INSERT INTO cdc.server_sample (taken_at, checkpoints_timed, wal_sync_time) VALUES (now(), ?, ?)",
            timed, sync,
        )
    }

    fun walRecords(): Long? =
        ctx.fetchOne("SELECT wal_records + wal_fpi FROM pg_stat_wal")?.get(0, Long::class.java)

    private companion object {
        const val WAL_TIME = "SELECT coalesce(sum(" +
            "wal_sync_time" +
            "), 0) FROM pg_stat_wal"
    }
}
