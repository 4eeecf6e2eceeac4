package cellar

import java.math.BigDecimal

data class Ranking(val label: String, val points: BigDecimal)

class TastingService(private val db: CellarDatabase) {

    fun ranking(tasting: Int): List<Ranking> = db.read {
        rows(
            """
            WITH panel AS (
                SELECT lot_no, vintage, avg(points) AS points, count(*) AS votes
                  FROM scores
                 WHERE tasting_id = $tasting
                 GROUP BY lot_no, vintage
            )
            SELECT l.label, round(panel.points, 1) AS points
              FROM panel JOIN lots l USING (lot_no, vintage)
             WHERE panel.votes >= 3
             ORDER BY panel.points DESC, l.label
            """
        ) { Ranking(it.getString("label"), it.getBigDecimal("points")) }
    }

    fun panels(): List<String> = db.read {
        rows("SELECT DISTINCT consrc FROM tastings WHERE consrc IS NOT NULL ORDER BY consrc") { it.getString(1) }
    }

    fun tasterOf(login: String): Int? = db.read {
        rows("""SELECT id FROM tasters WHERE "system_user" = '${login.filter(Char::isLetterOrDigit)}'""") {
            it.getInt(1)
        }.firstOrNull()
    }
}
