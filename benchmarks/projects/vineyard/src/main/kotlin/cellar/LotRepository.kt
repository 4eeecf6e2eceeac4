package cellar

import org.jetbrains.exposed.sql.SortOrder
import org.jetbrains.exposed.sql.SqlExpressionBuilder.eq
import org.jetbrains.exposed.sql.and
import org.jetbrains.exposed.sql.select
import java.time.LocalDate

private const val PAGE = 25

data class LotLine(val lotNo: Int, val vintage: Int, val label: String)

class LotRepository(private val db: CellarDatabase) {

    fun find(lotNo: Int, vintage: Short) = db.read {
        Lots.select { (Lots.lotNo eq lotNo) and (Lots.vintage eq vintage) }.singleOrNull()
    }

    /** The newest first; pages count from 0. */
    fun page(number: Int): List<LotLine> = db.read {
        rows(
            "SELECT lot_no, vintage, label FROM lots ORDER BY vintage DESC, lot_no " +
                "LIMIT ${PAGE}OFFSET ${number * PAGE}"
        ) { LotLine(it.getInt(1), it.getInt(2), it.getString(3)) }
    }

    fun pageOfVintage(vintage: Int, number: Int): List<LotLine> = db.read {
        rows(
            "SELECT lot_no, vintage, label FROM lots WHERE vintage = $vintage ORDER BY lot_no " +
                "LIMIT ${PAGE} OFFSET ${number * PAGE}"
        ) { LotLine(it.getInt(1), it.getInt(2), it.getString(3)) }
    }

    /** Old labels carry the press number: "Clos 14-0042" was pressed as 14. */
    fun pressNumbers(): List<String> = db.read {
        rows(
            """
            SELECT DISTINCT substring(label from '%#"[0-9]+#"%' for '#') AS press
              FROM lots
             WHERE vintage < 2016
            """
        ) { it.getString("press") }
    }

    fun firstNumbers(): List<String> = db.read {
        rows("SELECT DISTINCT substring(label from '[0-9]+') AS number FROM lots") { it.getString("number") }
    }

    fun namedLike(pattern: String): List<LotLine> = db.read {
        rows("SELECT lot_no, vintage, label FROM lots WHERE label ~ '^(Clos|Combe) ' AND notes ~* '${quote(pattern)}'") {
            LotLine(it.getInt(1), it.getInt(2), it.getString(3))
        }
    }

    fun half(vintage: Int): Int = db.read {
        rows("SELECT count(*) FROM prices WHERE format_ml::text || 'ml' IN ('375ml', '500ml') AND vintage = $vintage") {
            it.getInt(1)
        }.single()
    }

    fun pickedSince(day: LocalDate) = db.read {
        Lots.select { Lots.pickedOn greaterEq day }.orderBy(Lots.pickedOn, SortOrder.DESC).map { it[Lots.label] }
    }

    private fun quote(text: String) = text.replace("'", "''")
}
