package cellar

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import org.flywaydb.core.Flyway
import org.jetbrains.exposed.sql.Database
import org.jetbrains.exposed.sql.Transaction
import org.jetbrains.exposed.sql.transactions.transaction
import java.sql.ResultSet

class CellarDatabase(url: String, user: String, password: String, pool: Int) {
    private val source = HikariDataSource(HikariConfig().apply {
        jdbcUrl = url
        username = user
        this.password = password
        maximumPoolSize = pool
        connectionInitSql = "SET TimeZone TO 'Europe/Paris'"
    })
    val exposed: Database = Database.connect(source)

    fun migrate() {
        Flyway.configure().dataSource(source).baselineOnMigrate(true).load().migrate()
    }

    fun <T> read(block: Transaction.() -> T): T = transaction(exposed) { block() }

    /** One row for each column that has a default; for the page "Structure" of the handbook. */
    fun defaults(): List<Pair<String, String>> = read {
        rows(
            """
            SELECT a.attrelid::regclass || '.' || a.attname, pg_get_expr(d.adbin, d.adrelid) AS adsrc
              FROM pg_attrdef d
              JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
             ORDER BY 1
            """
        ) { it.getString(1) to it.getString(2) }
    }
}

fun <T> Transaction.rows(sql: String, row: (ResultSet) -> T): List<T> {
    val found = mutableListOf<T>()
    exec(sql.trimIndent()) { while (it.next()) found += row(it) }
    return found
}
