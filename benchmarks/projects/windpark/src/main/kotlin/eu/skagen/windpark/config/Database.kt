package eu.skagen.windpark.config

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import liquibase.Liquibase
import liquibase.database.jvm.JdbcConnection
import liquibase.resource.ClassLoaderResourceAccessor
import org.jooq.SQLDialect
import org.jooq.impl.DSL
import java.sql.Connection

class Database(val dataSource: HikariDataSource) {

    val dsl = DSL.using(dataSource, SQLDialect.POSTGRES)

    fun migrate() {
        dataSource.connection.use { connection ->
            Liquibase(
                "db/changelog/db.changelog-master.xml",
                ClassLoaderResourceAccessor(),
                JdbcConnection(connection),
            ).update("")
        }
    }

    /** Names the user of the portal for the statement log, for the rest of the session. */
    fun identify(connection: Connection, user: String, version: String) {
        connection.prepareStatement("SELECT set_config('windpark.user_name', ?, false)").use {
            it.setString(1, user)
            it.execute()
        }
        connection.prepareStatement("SELECT set_config('windpark.app-version', ?, false)").use {
            it.setString(1, version)
            it.execute()
        }
    }

    fun messageLanguage(connection: Connection): String =
        connection.createStatement().use { statement ->
            statement.executeQuery("SHOW lc_messages").use { rows ->
                rows.next()
                rows.getString(1)
            }
        }

    companion object {
        fun fromEnvironment(): Database {
            val config = HikariConfig()
            config.jdbcUrl = System.getenv("DATABASE_URL")
            config.connectionTestQuery = "SELECT 1"
            return Database(HikariDataSource(config))
        }
    }
}
