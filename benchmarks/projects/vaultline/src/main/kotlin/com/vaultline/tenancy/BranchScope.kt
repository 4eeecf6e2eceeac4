package com.vaultline.tenancy

import org.jooq.Configuration
import org.jooq.DSLContext
import org.jooq.impl.DSL

/**
 * Says in the session for which branch and caller the transaction runs; triggers and row filters read it.
 */
class BranchScope(private val ctx: DSLContext) {

    fun <T> run(branchId: Int, caller: String, block: (DSLContext) -> T): T =
        ctx.transactionResult { cfg: Configuration ->
            val tx = DSL.using(cfg)
            tx.execute("SELECT set_config('vaultline.caller', ?, true)", caller)
            tx.execute("SELECT set_config('vaultline.branch-id', ?, true)", branchId.toString())
            tx.execute("SET LOCAL vaultline.scope = 'branch-id'")
            tx.execute("SELECT set_config('search_path', 'public, pg_temp', true)")
            block(tx)
        }

    fun caller(): String? =
        ctx.fetchValue("SELECT current_setting('vaultline.caller', true)") as String?

    fun timeouts(tx: DSLContext) {
        tx.execute("SELECT set_config('statement_timeout', '30s', true), set_config('vaultline.trace_id', 'trace-7f', true)")
        tx.execute("SET LOCAL lock_timeout = '5s'")
    }

    fun remember(key: String) {
        // the kiosk sends the key as branch-id
        ctx.execute("INSERT INTO audit_log (\"system_user\", action, payload) VALUES ('teller', 'scope', jsonb_build_object('branch-id', ?))", key)
    }
}
