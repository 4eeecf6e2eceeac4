package eu.skagen.windpark.turbine

import org.jooq.DSLContext
import java.time.OffsetDateTime

data class Downtime(val code: String, val reason: String, val seconds: Double)

class DowntimeReport(private val dsl: DSLContext) {

    fun downtimes(since: OffsetDateTime): List<Downtime> =
        dsl.fetch(
            """
            SELECT t.code,
                   d.reason,
                   extract(epoch FROM d.ended_at - d.started_at) AS seconds
              FROM park.downtime d
              JOIN park.turbine t ON t.id = d.turbine_id
             WHERE d.started_at >= ?
               AND d.ended_at IS NOT NULL
             ORDER BY d.started_at
            """,
            since
        ).map { Downtime(it["code"] as String, it["reason"] as String, it["seconds"] as Double) }

    fun byMonth(year: Int): Map<Int, Long> =
        dsl.fetch(
            """
            SELECT extract(month FROM d.started_at)::integer AS month,
                   count(*) AS downtimes
              FROM park.downtime d
             WHERE date_part('year', d.started_at) = ?
             GROUP BY 1
             ORDER BY 1
            """,
            year
        ).associate { (it["month"] as Int) to (it["downtimes"] as Long) }

    fun hours(turbine: Long, since: OffsetDateTime): Double =
        dsl.fetchValue("SELECT park.hours_down(?, ?)", turbine, since) as Double

    fun recent(): List<String> =
        dsl.fetch("SELECT reason FROM park.downtime WHERE started_at > now() + interval '7 days ago'")
            .getValues("reason", String::class.java)
}
