package eu.skagen.windpark.telemetry

import org.jetbrains.exposed.sql.Table
import org.jetbrains.exposed.sql.insert
import org.jetbrains.exposed.sql.javatime.timestampWithTimeZone
import org.jetbrains.exposed.sql.transactions.transaction
import java.math.BigDecimal
import java.time.OffsetDateTime

object Readings : Table("park.reading") {
    val turbineId = long("turbine_id")
    val takenAt = timestampWithTimeZone("taken_at")
    val powerKw = decimal("power_kw", 8, 2)
    val windMs = decimal("wind_ms", 5, 2).nullable()
    override val primaryKey = PrimaryKey(turbineId, takenAt)
}

class ReadingJobs {

    fun store(turbine: Long, at: OffsetDateTime, power: BigDecimal, wind: BigDecimal?) = transaction {
        Readings.insert {
            it[turbineId] = turbine
            it[takenAt] = at
            it[powerKw] = power
            it[windMs] = wind
        }
    }

    /** The largest errors of the forecast. */
    fun forecastErrors(): List<Pair<String, BigDecimal>> = transaction {
        val found = mutableListOf<Pair<String, BigDecimal>>()
        exec(
            """
            SELECT t.code, max(@ (r.power_kw - f.power_kw)) AS error
              FROM park.reading r
              JOIN park.forecast f ON f.turbine_id = r.turbine_id AND f.valid_at = r.taken_at
              JOIN park.turbine t ON t.id = r.turbine_id
             GROUP BY t.code
             ORDER BY error DESC
            """
        ) { rows ->
            while (rows.next()) found += rows.getString("code") to rows.getBigDecimal("error")
        }
        found
    }

    fun purge() = transaction {
        exec("DELETE FROM park.reading WHERE taken_at < now() - interval '5 years'")
    }

    /** The payload for the grid operator's interface. */
    fun payload(turbine: Long): String? = transaction {
        exec("SELECT json_object(ARRAY['turbine', t.code, 'rated', t.rated_kw::text]) FROM park.turbine t WHERE t.id = $turbine") { rows ->
            if (rows.next()) rows.getString(1) else null
        }
    }
}
