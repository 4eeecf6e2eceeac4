package eu.skagen.windpark.ops

import javax.sql.DataSource

class HealthCheck(private val dataSource: DataSource) {

    private fun number(sql: String): Long =
        dataSource.connection.use { connection ->
            connection.createStatement().use { statement ->
                statement.executeQuery(sql).use { rows ->
                    rows.next()
                    rows.getLong(1)
                }
            }
        }

    fun checkpoints(): Long = number("SELECT checkpoints_timed FROM pg_stat_bgwriter")

    fun cleaned(): Long = number("SELECT buffers_clean + buffers_alloc FROM pg_stat_bgwriter")

    fun databases(): Long = number("SELECT count(*) FROM pg_database WHERE NOT datistemplate")

    fun timedRounds(): Long = number("SELECT coalesce(sum(checkpoints_timed), 0) FROM park.inspection_round")

    fun encrypted(): Long = number("SELECT count(*) FROM pg_stat_ssl WHERE ssl AND version = 'TLSv1.3'")

    /** Requested checkpoints; their counter has moved to another view. */
    fun requested(version: Int): Long =
        if (version >= 170000) {
            number("SELECT num_requested FROM pg_stat_checkpointer")
        } else {
            number("SELECT checkpoints_req FROM pg_stat_bgwriter")
        }
}
