package cellar

import org.slf4j.LoggerFactory
import java.io.File

/**
 * Reads what the Access database exported. Its dates look like Y1998M10D03, and its lots have no vintage.
 */
class LegacyImport(private val db: CellarDatabase) {
    private val log = LoggerFactory.getLogger(javaClass)
    private val stamp = Regex("""Y(\d{4})M(\d{2})D(\d{2})""")

    fun run(file: File) {
        val lines = file.readLines().filter { it.isNotBlank() }
        for (line in lines) {
            val (number, label, day) = line.split(';')
            val iso = stamp.replace(day, "$1-$2-$3")
            db.read {
                exec("INSERT INTO lots (lot_no, vintage, label, picked_on) VALUES (${number.toInt()}, ${iso.take(4)}, '${label.replace("'", "''")}', '$iso')")
            }
        }
        log.info("the file is of (roughly) {} lines, first batch code Y2001M09D20", lines.size)
        db.read { exec("INSERT INTO import_batch (file_name, row_count) VALUES ('${file.name}', ${lines.size})") }
    }

    /** Lots of the old press, which stood until the harvest of 2009. */
    fun oldPress(): List<Int> = db.read {
        rows("SELECT lot_no FROM lots WHERE picked_on < 'Y2009M08D31'::date ORDER BY lot_no") { it.getInt(1) }
    }

    fun newPress(): List<Int> = db.read {
        rows("SELECT lot_no FROM lots WHERE picked_on >= '2009-08-31'::date AND label <> 'Y2009M08D31' ORDER BY lot_no") { it.getInt(1) }
    }
}
