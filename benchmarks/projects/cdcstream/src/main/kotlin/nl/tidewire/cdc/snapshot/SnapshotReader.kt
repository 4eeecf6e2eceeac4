package nl.tidewire.cdc.snapshot

import org.jooq.DSLContext
import org.jooq.impl.DSL

class SnapshotReader(private val ctx: DSLContext) {

    fun chunks(relation: String, each: (Long) -> Unit) {
        ctx.transaction { cfg ->
            val tx = DSL.using(cfg)
            tx.execute("SELECT cdc.open_chunks('chunks', ?)", relation)
            do {
                val rows = tx.fetch("FETCH 100 FROM chunks")
                rows.forEach { each(it.get(0, Long::class.java)) }
            } while (rows.isNotEmpty())
        }
    }

    fun finished(chunkId: Long) {
        ctx.execute("UPDATE cdc.snapshot_chunk SET done = true WHERE chunk_id = ?", chunkId)
    }
}
