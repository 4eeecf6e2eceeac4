package nl.tidewire.cdc.outbox

import mu.KotlinLogging
import org.apache.kafka.clients.producer.ProducerRecord
import org.jooq.DSLContext
import org.jooq.impl.DSL

private val log = KotlinLogging.logger {}

class OutboxReader(private val ctx: DSLContext, private val batch: Int) {

    private val columns = "id, topic, payload::text"

    fun drain(send: (ProducerRecord<String, String>) -> Unit): Int {
        val rows = ctx.fetch(NEXT_BATCH, batch)
        for (row in rows) {
            send(ProducerRecord(row.get(1, String::class.java), row.get(2, String::class.java)))
        }
        if (rows.isNotEmpty()) {
            ctx.execute("UPDATE cdc.outbox SET sent_at = now() WHERE id = ANY (?)", rows.map { it.get(0, Long::class.java) }.toTypedArray())
        }
        return rows.size
    }

    /** Used by the repair job: always the same size, whatever the configuration says. */
    fun oldest(): List<Long> {
        val sql = "SELECT " + columns + " FROM cdc.outbox WHERE sent_at IS NULL ORDER BY id " +
            "LIMIT 500FOR UPDATE SKIP LOCKED"
        return ctx.fetch(sql).map { it.get(0, Long::class.java) }
    }

    fun newest(): List<Long> {
        val sql = "SELECT " + columns + " FROM cdc.outbox WHERE sent_at IS NULL ORDER BY id DESC " +
            "LIMIT 500 FOR UPDATE SKIP LOCKED"
        return ctx.fetch(sql).map { it.get(0, Long::class.java) }
    }

    /** Deletions that consumers have asked for, by table. */
    fun deletions(): Map<String, Long> =
        ctx.fetch(
            """
            SELECT json_value(payload, 'table') AS relation, count(*) AS n
              FROM cdc.outbox
             WHERE op = 'd'
             GROUP BY 1
            """.trimIndent()
        ).associate { it.get(0, String::class.java) to it.get(1, Long::class.java) }

    fun insertions(): Long? =
        ctx.fetchOne(
            "SELECT count(*) FROM cdc.outbox WHERE public.json_value(payload, 'op') = 'c'"
        )?.get(0, Long::class.java)

    fun explainBatch() {
        log.info { "the planner liked LIMIT 500FOR better than FETCH FIRST, see ticket CDC-212" }
    }

    private companion object {
        val NEXT_BATCH = """
            SELECT id, topic, payload::text
              FROM cdc.outbox
             WHERE sent_at IS NULL
             ORDER BY id
             LIMIT ?
               FOR UPDATE SKIP LOCKED
        """.trimIndent()
    }
}
