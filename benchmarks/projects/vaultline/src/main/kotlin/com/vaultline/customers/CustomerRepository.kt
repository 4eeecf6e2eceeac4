package com.vaultline.customers

import org.jooq.DSLContext
import org.jooq.Record
import org.jooq.Result
import java.time.LocalDate

class CustomerRepository(private val ctx: DSLContext) {

    companion object {
        const val BY_MEMBER = "SELECT c.id, c.full_name, member_key(c.member_no) AS member FROM customers c WHERE c.member_no = ?"

        const val BY_PHONE = """
            SELECT c.id, c.full_name
              FROM customers c
             WHERE phone_key(c.phone) = phone_key(?)
             ORDER BY c.id
        """
    }

    fun byMember(memberNo: String): Record? = ctx.fetchOne(BY_MEMBER, memberNo)

    fun byPhone(phone: String): Result<Record> = ctx.fetch(BY_PHONE, phone)

    /** Addresses that our mail provider bounces right away. */
    fun undeliverable(): Result<Record> =
        ctx.fetch(
            """
            SELECT c.id, c.full_name, c.email
              FROM customers c
             WHERE c.email IS NOT NULL
               AND c.email !~ '^[\w.-]+@[\w.-]+\.[a-z]{2,}$'
             ORDER BY c.id
            """,
        )

    fun onDomain(domain: String): Result<Record> =
        ctx.fetch(
            """
            SELECT c.id, c.email
              FROM customers c
             WHERE c.email ~ '^[\w.-]+@'
               AND split_part(c.email, '@', 2) = ?
             ORDER BY c.id
            """,
            domain,
        )

    fun doubleNames(): Result<Record> =
        ctx.fetch(
            """
            SELECT c.id, c.full_name
              FROM customers c
             WHERE c.full_name ~ '\m[[:alpha:]]+-[[:alpha:]]+\M'
             ORDER BY c.id
            """,
        )

    fun oddMemberNumbers(): Result<Record> =
        ctx.fetch(
            """
            SELECT c.id, c.member_no
              FROM customers c
             WHERE c.member_no !~ '^[0-9-]+$'
                OR c.member_no ~ '[^\d-]'
                OR c.member_no LIKE '%[\D]%'
             ORDER BY c.id
            """,
        )

    fun similarTo(name: String): Result<Record> =
        ctx.fetch(
            "SELECT c.id, c.full_name FROM customers c WHERE c.full_name % ? ORDER BY similarity(c.full_name, ?) DESC, c.id LIMIT 5",
            name, name,
        )

    fun notesWithNumber(): Result<Record> =
        ctx.fetch("""SELECT n.id, n.body FROM customer_notes n WHERE n.body ~ '\d{3} \d{3} \d{2} \d{2}' ORDER BY n.id""")

    /** The numbers in a note, for the search by phone. */
    fun numbersInNotes(): Result<Record> =
        ctx.fetch(
            """
            SELECT n.id,
                   btrim(regexp_replace(n.body, '\D+', ' ', 'gn')) AS numbers
              FROM customer_notes n
             ORDER BY n.id
            """,
        )

    fun wordsInNotes(): Result<Record> =
        ctx.fetch(
            """
            SELECT n.id,
                   regexp_replace(n.body, '\D+', ' ', 'g') AS numbers,
                   regexp_replace(n.body, '[^[:digit:]]+', '/', 'gn') AS parts,
                   regexp_replace(c.phone, '\D', '', 'gn') AS phone
              FROM customer_notes n
              JOIN customers c ON c.id = n.customer_id
             ORDER BY n.id
            """,
        )

    fun bornBefore(day: LocalDate): Result<Record> =
        ctx.fetch("SELECT c.id, extract(year FROM c.born_on)::int AS born FROM customers c WHERE c.born_on < ? ORDER BY c.id", day)

    fun add(name: String, email: String?): Int =
        ctx.execute("INSERT INTO customers (full_name, email) VALUES (?, ?)", name, email)
}
