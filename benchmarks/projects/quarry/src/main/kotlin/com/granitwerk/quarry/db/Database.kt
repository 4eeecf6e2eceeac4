package com.granitwerk.quarry.db

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.ktor.server.config.ApplicationConfig
import liquibase.Contexts
import liquibase.Liquibase
import liquibase.database.jvm.JdbcConnection
import liquibase.resource.ClassLoaderResourceAccessor
import org.jooq.DSLContext
import org.jooq.SQLDialect
import org.jooq.impl.DSL

class Database(private val source: HikariDataSource) {

    val dsl: DSLContext = DSL.using(source, SQLDialect.POSTGRES)

    fun migrate() {
        source.connection.use { connection ->
            Liquibase("db/changelog/master.xml", ClassLoaderResourceAccessor(), JdbcConnection(connection))
                .update(Contexts())
        }
    }

    /** Runs the block so that it sees one state of the tables. */
    fun <T> snapshot(block: (DSLContext) -> T): T = dsl.transactionResult { configuration ->
        val inner = DSL.using(configuration)
        inner.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        block(inner)
    }

    fun release() {
        dsl.execute("RESET statement_timeout")
        dsl.execute("RESET default_transaction_isolation")
    }

    companion object {
        fun fromConfig(config: ApplicationConfig): Database {
            val hikari = HikariConfig()
            hikari.jdbcUrl = config.property("database.url").getString()
            hikari.username = config.property("database.user").getString()
            hikari.maximumPoolSize = config.property("database.pool").getString().toInt()
            hikari.connectionInitSql = "SET application_name = 'quarry'"
            return Database(HikariDataSource(hikari))
        }
    }
}
