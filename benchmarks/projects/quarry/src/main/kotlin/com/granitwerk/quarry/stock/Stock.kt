package com.granitwerk.quarry.stock

import com.granitwerk.quarry.db.Database
import org.jooq.Record
import org.jooq.Result
import java.math.BigDecimal

class Stock(private val db: Database) {

    fun piles(): Result<Record> = db.dsl.fetch(
        """
        SELECT p.id, p.name, m.code, p.tons, round(p.tons / m.density, 1) AS cubic_metres
          FROM stockpiles p
          JOIN materials m ON m.id = p.material_id
         ORDER BY p.name
        """,
    )

    fun move(pile: Long, tons: BigDecimal, reason: String): Record? = db.dsl.fetchOne(
        "INSERT INTO stock_moves (stockpile_id, tons, reason) VALUES (?, ?, ?) RETURNING id, tons",
        pile, tons, reason,
    )

    fun correct(move: Long, tons: BigDecimal): Int = db.dsl.execute(
        "UPDATE stock_moves SET tons = ? WHERE id = ?", tons, move,
    )

    fun count(pile: Long, counted: BigDecimal): BigDecimal? =
        db.dsl.fetchValue("SELECT count_pile(?, ?)", pile, counted) as BigDecimal?

    fun history(pile: Long): Result<Record> = db.dsl.fetch(
        """
        SELECT v.moved_at, v.tons, v.reason,
               sum(v.tons) OVER (ORDER BY v.moved_at, v.id) AS running
          FROM stock_moves v
         WHERE v.stockpile_id = ?
         ORDER BY v.moved_at, v.id
        """,
        pile,
    )

    fun byCode(code: String): Result<Record> = db.dsl.fetch(
        "SELECT id, code, name FROM materials WHERE material_key(code) = upper(?)", code,
    )
}
