package com.granitwerk.quarry.ops

import com.granitwerk.quarry.db.Database
import io.ktor.server.application.call
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.route
import org.jooq.Record
import org.jooq.Result

/** What the operators see of the database. */
class Operations(private val db: Database) {

    /** Columns of a table that ANALYZE samples with the default target. */
    fun defaultTargets(table: String): Result<Record> = db.dsl.fetch(
        """
        SELECT a.attname::text AS column
          FROM pg_attribute a
         WHERE a.attrelid = ?::regclass AND a.attnum > 0
           AND a.attstattarget = -1
         ORDER BY a.attnum
        """,
        table,
    )

    fun ownTargets(): Result<Record> = db.dsl.fetch(
        """
        SELECT a.attrelid::regclass::text AS relation, a.attname::text AS column, a.attstattarget::int AS target
          FROM pg_attribute a
         WHERE a.attstattarget > 0
         ORDER BY 1, 2
        """,
    )

    fun targetOf(table: String, column: String): Record? = db.dsl.fetchOne(
        """
        SELECT coalesce(a.attstattarget, -1)::int AS target
          FROM pg_attribute a
         WHERE a.attrelid = ?::regclass AND a.attname = ?
        """,
        table, column,
    )

    fun writer(): Record? = db.dsl.fetchOne(
        "SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter",
    )

    fun wal(): Record? = db.dsl.fetchOne(
        "SELECT wal_records, wal_fpi, wal_bytes, wal_buffers_full FROM pg_stat_wal",
    )

    fun vacuums(): Result<Record> = db.dsl.fetch(
        """
        SELECT v.relid::regclass::text AS relation, v.phase,
               v.heap_blks_scanned, v.heap_blks_total
          FROM pg_stat_progress_vacuum v
         ORDER BY 1
        """,
    )

    fun sessions(): Int = db.dsl.fetchValue(
        "SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend' AND state = 'active'",
    ) as Int

    fun locale(): Record? = db.dsl.fetchOne(
        "SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()",
    )

    fun foreignKeys(): Result<Record> = db.dsl.fetch(
        """
        SELECT k.conrelid::regclass::text AS relation, count(*) AS keys
          FROM pg_constraint k
         WHERE k.contype = 'f'
         GROUP BY 1
         ORDER BY 1
        """,
    )

    fun messages(): String = db.dsl.fetchValue("SHOW lc_messages") as String
}

fun Route.operationsRoutes(database: Database) {
    val operations = Operations(database)
    route("/ops") {
        get("/sessions") { call.respondText(operations.sessions().toString()) }
        get("/targets/{table}") {
            call.respondText(operations.defaultTargets(call.parameters["table"]!!).formatJSON())
        }
        get("/vacuums") { call.respondText(operations.vacuums().formatJSON()) }
    }
}
