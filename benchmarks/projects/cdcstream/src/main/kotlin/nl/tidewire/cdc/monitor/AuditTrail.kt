package nl.tidewire.cdc.monitor

import org.jooq.DSLContext

data class OperatorSession(val id: Long, val who: String, val command: String)

class AuditTrail(private val ctx: DSLContext) {

    fun record(who: String, command: String) {
        ctx.execute(
            """INSERT INTO cdc.operator_session ("system_user", command) VALUES (?, ?)""",
            who, command,
        )
    }

    fun latest(): List<OperatorSession> =
        ctx.fetch(
            """
            SELECT session_id,
                   system_user,
                   command
              FROM cdc.operator_session
             ORDER BY started_at DESC
             LIMIT 50
            """.trimIndent()
        ).map {
            OperatorSession(it.get(0, Long::class.java), it.get(1, String::class.java), it.get(2, String::class.java))
        }

    fun volumeCopyRuns(): Boolean =
        ctx.fetchValue("SELECT cdc.pg_is_in_backup()") as Boolean
}
