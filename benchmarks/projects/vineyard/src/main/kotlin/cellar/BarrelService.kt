package cellar

import org.jetbrains.exposed.sql.insert
import java.time.Instant

/** How long the coopers lease their barrels. */
private const val FRENCH_OAK = "2.66 years"
private const val ACACIA = "2.5 years"

class BarrelService(private val db: CellarDatabase) {

    fun fill(cooper: String, litres: Int) = db.read {
        Barrels.insert {
            it[Barrels.cooper] = cooper
            it[volume] = litres
            it[filledAt] = Instant.now()
        }
    }

    fun dueFrench(): List<Int> = db.read {
        rows("SELECT id FROM barrels WHERE filled_at + interval '$FRENCH_OAK' < now() AND cooper <> 'Stockinger'") {
            it.getInt(1)
        }
    }

    fun dueAcacia(): List<Int> = db.read {
        rows("SELECT id FROM barrels WHERE filled_at + interval '$ACACIA' < now() AND cooper = 'Stockinger'") {
            it.getInt(1)
        }
    }

    fun longMacerations(): List<Int> = db.read {
        rows("SELECT id FROM barrels WHERE maceration > interval '1.5 weeks'") { it.getInt(1) }
    }
}
