package nl.tidewire.cdc

import mu.KotlinLogging
import org.jooq.DSLContext

private val log = KotlinLogging.logger {}

/** Refuses to start on a source that would give other bytes than the consumers expect. */
class StartupCheck(private val ctx: DSLContext) {

    fun run() {
        val level = ctx.fetchValue("SELECT current_setting('wal_level')") as String
        check(level == "logical") { "wal_level is $level, not logical" }

        val messages = ctx.fetchValue("SELECT current_setting('lc_messages')") as String
        if (!messages.startsWith("en") && messages != "C") {
            log.warn { "messages of the server come in $messages, the error parser knows English only" }
        }

        // keys are folded by upper() on both sides
        val ctype = ctx.fetchValue("SELECT current_setting('lc_ctype')") as String
        check(ctype.endsWith("UTF-8") || ctype == "C") { "unexpected character type $ctype" }

        ctx.execute("SET standard_conforming_strings = on")
    }
}
