package nl.tidewire.cdc

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import org.apache.kafka.clients.producer.KafkaProducer
import java.util.Properties

class Settings private constructor(private val env: Map<String, String>) {
    val slot: String = env["CDC_SLOT"] ?: "cdcstream_main"
    val publication: String = env["CDC_PUBLICATION"] ?: "cdcstream_outbox"
    val sourceId: Int = env["CDC_SOURCE_ID"]?.toInt() ?: 1
    val batch: Int = env["CDC_BATCH"]?.toInt() ?: 500

    val producer: KafkaProducer<String, String> by lazy {
        KafkaProducer(Properties().apply {
            put("bootstrap.servers", env["CDC_BROKERS"] ?: "broker:9092")
            put("enable.idempotence", "true")
        })
    }

    fun dataSource() = HikariDataSource(HikariConfig().apply {
        jdbcUrl = env["CDC_JDBC_URL"] ?: "jdbc:postgresql://source:5432/cdc"
        username = env["CDC_DB_USER"] ?: "cdc_stream"
        password = env["CDC_DB_PASSWORD"]
        maximumPoolSize = 4
    })

    companion object {
        fun load() = Settings(System.getenv())
    }
}
