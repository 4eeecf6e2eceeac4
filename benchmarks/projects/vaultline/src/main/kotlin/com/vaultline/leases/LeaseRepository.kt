package com.vaultline.leases

import org.jooq.DSLContext
import org.jooq.Record
import org.jooq.Result
import org.jooq.impl.DSL
import java.time.LocalDate

private const val OFFERS = """
    SELECT t.name, t.fee,
           lease_end(date '2024-01-01', t.term::interval) AS ends
      FROM tariffs t
     WHERE t.size_code = ?
     ORDER BY t.id
"""

private const val GRACE = """
    SELECT t.name, t.grace::interval AS grace
      FROM tariffs t
     ORDER BY t.id
"""

class LeaseRepository(private val ctx: DSLContext) {

    fun offers(sizeCode: String): Result<Record> = ctx.fetch(OFFERS, sizeCode)

    fun grace(): Result<Record> = ctx.fetch(GRACE)

    fun expiring(day: LocalDate): Result<Record> =
        ctx.fetch(
            """
            SELECT c.id, c.box_no, c.ends
              FROM current_leases c
             WHERE c.ends BETWEEN ? AND ?::date + interval '0.5 years'
             ORDER BY c.ends
            """,
            day, day,
        )

    /** Leases whose box is opened by the notary. */
    fun abandoned(): Result<Record> =
        ctx.fetch(
            """
            SELECT l.id, upper(l.period) + interval '2.25 years' AS opened_by_notary,
                   upper(l.period) + interval '3 mons 1.5 days' AS last_letter
              FROM leases l
             WHERE upper(l.period) < date '2024-07-10'
             ORDER BY l.id
            """,
        )

    fun remaining(leaseId: Int): Record? =
        ctx.fetchOne(
            """
            SELECT upper(l.period) - lower(l.period) AS days,
                   justify_interval(make_interval(days => upper(l.period) - lower(l.period))) AS about,
                   age(upper(l.period), lower(l.period)) AS exactly
              FROM leases l
             WHERE l.id = ?
            """,
            leaseId,
        )

    fun cancel(leaseId: Int): Int =
        ctx.update(DSL.table("leases"))
            .set(DSL.field("cancelled_at", java.time.OffsetDateTime::class.java), DSL.field("now()", java.time.OffsetDateTime::class.java))
            .where(DSL.condition("id = ? AND cancelled_at IS NULL", leaseId))
            .execute()

    fun sign(boxId: Int, customerId: Int, tariffId: Int, begins: LocalDate): Int =
        ctx.execute(
            """
            INSERT INTO leases (box_id, customer_id, tariff_id, period)
            SELECT ?, ?, t.id, daterange(?::date, (?::date + interval '12 months')::date)
              FROM tariffs t
             WHERE t.id = ?
            """,
            boxId, customerId, begins, begins, tariffId,
        )

    fun holders(leaseId: Int): Result<Record> =
        ctx.fetch(
            """
            SELECT h.customer_id, c.full_name, h.share
              FROM lease_holders h
              JOIN customers c ON c.id = h.customer_id
             WHERE h.lease_id = ?
             ORDER BY h.share DESC, c.full_name
            """,
            leaseId,
        )

    fun weekly(): Result<Record> =
        ctx.fetch("SELECT l.id, lower(l.period) + interval '1.5 weeks' AS first_check FROM leases l ORDER BY l.id")
}
