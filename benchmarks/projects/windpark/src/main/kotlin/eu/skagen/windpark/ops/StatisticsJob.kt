package eu.skagen.windpark.ops

import org.jetbrains.exposed.sql.transactions.TransactionManager
import org.jetbrains.exposed.sql.transactions.transaction

/** Checks once a week that the large tables have finer statistics. */
class StatisticsJob {

    fun columnsWithDefault(): Int = transaction {
        var columns = 0
        TransactionManager.current().exec(
            """
            SELECT count(*)
              FROM pg_attribute a
             WHERE a.attrelid = 'park.reading'::regclass
               AND a.attnum > 0
               AND a.attstattarget = -1
            """
        ) { rows ->
            rows.next()
            columns = rows.getInt(1)
        }
        columns
    }

    fun columnsWithOwnTarget(): Int = transaction {
        var columns = 0
        TransactionManager.current().exec(
            """
            SELECT count(*)
              FROM pg_attribute a
             WHERE a.attrelid = 'park.reading'::regclass
               AND a.attstattarget > 0
            """
        ) { rows ->
            rows.next()
            columns = rows.getInt(1)
        }
        columns
    }

    fun noteVacuum(table: String, dead: Long) = transaction {
        exec("INSERT INTO park.vacuum_history (table_name, num_dead_tuples) VALUES ('$table', $dead)")
    }
}
