package com.vaultline.search

import org.jooq.DSLContext
import org.jooq.Record
import org.jooq.Result

class DocumentSearch(private val ctx: DSLContext) {

    fun find(words: String): Result<Record> =
        ctx.fetch(
            """
            SELECT d.id, d.title, ts_rank(d.search, q) AS rank
              FROM documents d, plainto_tsquery('simple', ?) q
             WHERE d.search @@ q
             ORDER BY rank DESC, d.id
            """,
            words,
        )

    fun contracts(): Result<Record> =
        ctx.fetch("SELECT d.id, d.title FROM documents d WHERE d.search @@ to_tsquery('simple', 'lease & contract') ORDER BY d.id")

    fun proxies(): Result<Record> =
        ctx.fetch("SELECT d.id, d.title FROM documents d WHERE d.search @@ to_tsquery('simple', 'power & attorney') ORDER BY d.id")
}
