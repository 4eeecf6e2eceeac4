package com.vaultline.billing

import org.jooq.DSLContext
import org.jooq.Record
import org.jooq.Result

class InvoiceRepository(private val ctx: DSLContext) {

    fun open(): Result<Record> =
        ctx.fetch(
            """
            SELECT i.id, i.due_on, i.amount - coalesce(sum(p.amount), 0) AS open_amount
              FROM invoices i
              LEFT JOIN payments p ON p.invoice_id = i.id
             GROUP BY i.id
            HAVING i.amount > coalesce(sum(p.amount), 0)
             ORDER BY i.due_on
            """,
        )

    fun reminded(times: Int): Result<Record> =
        ctx.fetch(
            """
            SELECT i.id, i.details ->> 'reminders' AS reminders
              FROM invoices i
             WHERE (i.details ->> 'reminders')::int >= ?
             ORDER BY i.id
            """,
            times,
        )

    fun withLine(text: String): Result<Record> =
        ctx.fetch("SELECT i.id FROM invoices i WHERE i.details @> jsonb_build_object('lines', jsonb_build_array(jsonb_build_object('text', ?::text))) ORDER BY i.id", text)

    fun keyCharges(): Result<Record> =
        ctx.fetch(
            """
            SELECT i.id, jsonb_path_query_first(i.details, '$.lines[*] ? (@.text == "key").amount') AS key_amount
              FROM invoices i
             WHERE jsonb_path_exists(i.details, '$.lines[*] ? (@.text == "key")')
             ORDER BY i.id
            """,
        )

    fun perQuarter(): Result<Record> =
        ctx.fetch(
            """
            SELECT extract(year FROM i.issued_on)::int AS year,
                   extract(quarter FROM i.issued_on)::int AS quarter,
                   sum(i.amount) AS amount
              FROM invoices i
             GROUP BY 1, 2
             ORDER BY 1, 2
            """,
        )

    fun remind(invoiceId: Int): Int =
        ctx.execute(
            """
            UPDATE invoices
               SET details = jsonb_set(details, '{reminders}', to_jsonb(coalesce((details ->> 'reminders')::int, 0) + 1))
             WHERE id = ?
            """,
            invoiceId,
        )
}
