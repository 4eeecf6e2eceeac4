package com.granitwerk.quarry.delivery

import com.granitwerk.quarry.db.Database
import org.jooq.Record
import org.jooq.Result
import org.jooq.impl.DSL.condition
import org.jooq.impl.DSL.field
import org.jooq.impl.DSL.table
import java.math.BigDecimal
import java.time.LocalDate
import java.time.OffsetDateTime

data class Weighing(
    val customer: Long,
    val material: Long,
    val scale: Long,
    val gross: BigDecimal,
    val tare: BigDecimal,
    val plate: String,
    val driver: String?,
)

class Deliveries(private val db: Database) {

    fun weigh(w: Weighing): Long = db.dsl.fetchValue(
        """
        INSERT INTO truck_deliveries (customer_id, material_id, scale_id, weighed_at, gross_t, tare_t, net_t, plate, driver)
        VALUES (?, ?, ?, now(), ?, ?, ?, ?, ?)
        RETURNING id
        """,
        w.customer, w.material, w.scale, w.gross, w.tare, w.gross - w.tare, w.plate, w.driver,
    ) as Long

    fun ofDay(day: LocalDate): Result<Record> = db.dsl.fetch(
        """
        SELECT d.id, c.name AS customer, m.code, d.gross_t - d.tare_t AS net, d.plate
          FROM deliveries d
          JOIN customers c ON c.id = d.customer_id
          JOIN materials m ON m.id = d.material_id
         WHERE d.weighed_at >= ?::date AND d.weighed_at < ?::date + 1
         ORDER BY d.weighed_at
        """,
        day, day,
    )

    fun heavy(limit: BigDecimal) = db.dsl
        .select(field("id"), field("plate"), field("gross_t - tare_t").`as`("net"))
        .from(table("truck_deliveries"))
        .where(condition("gross_t > ?", limit))
        .orderBy(field("gross_t").desc())
        .fetch()

    fun byScale(): Result<Record> = db.dsl.fetch(
        """
        SELECT s.name, s.system_user AS account, count(d.id) AS loads
          FROM scales s
          LEFT JOIN deliveries d ON d.scale_id = s.id
         GROUP BY s.id
         ORDER BY s.name
        """,
    )

    /** Accounts under which the terminals of the weighbridges log in. */
    fun accounts(): Result<Record> = db.dsl.fetch(
        """
        SELECT id, system_user, verified_on
          FROM scales
         ORDER BY id
        """,
    )

    fun scaleOf(account: String): Record? = db.dsl.fetchOne(
        "SELECT id, name FROM scales WHERE \"system_user\" = ?", account,
    )

    fun whoAmI(): Record? = db.dsl.fetchOne("SELECT session_user AS login, current_database() AS system_user")

    fun since(moment: OffsetDateTime): Result<Record> = db.dsl.fetch(
        "SELECT id, plate, weighed_at FROM truck_deliveries WHERE weighed_at > ? ORDER BY id", moment,
    )

    fun monthly(): Result<Record> = db.dsl.fetch(
        "SELECT customer_id, material_id, month, tons FROM v_sales ORDER BY 1, 2, 3",
    )

    fun price(customer: Long, material: Long, day: LocalDate): BigDecimal? =
        db.dsl.fetchValue("SELECT price_on(?, ?, ?)", customer, material, day) as BigDecimal?
}
