package cellar

import org.jetbrains.exposed.sql.select

class ParcelRepository(private val db: CellarDatabase) {

    fun byCode(code: String) = db.read { Parcels.select { Parcels.code eq code }.singleOrNull() }

    /** Mean must weight of the probes that were really taken in the parcel. */
    fun mustWeights(): Map<String, Int> = db.read {
        rows(
            """
            SELECT c.code, round(avg(p.oechsle))::integer
              FROM parcels c
              JOIN probes p ON p.spot @ c.outline
             GROUP BY c.code
             ORDER BY c.code
            """
        ) { it.getString(1) to it.getInt(2) }.toMap()
    }

    fun neighbours(code: String): List<String> = db.read {
        val box = "(SELECT outline FROM parcels WHERE code = '${code.filter(Char::isLetterOrDigit)}')"
        rows("SELECT code FROM parcels WHERE outline && $box ORDER BY code") { it.getString(1) }
    }

    fun probesOf(code: String): Int = db.read {
        rows("SELECT count(*) FROM probes p, parcels c WHERE c.outline @> p.spot AND c.code = '${code.filter(Char::isLetterOrDigit)}'") {
            it.getInt(1)
        }.single()
    }
}
