package eu.skagen.windpark

import eu.skagen.windpark.config.Database
import eu.skagen.windpark.ops.HealthCheck
import org.slf4j.LoggerFactory

private val log = LoggerFactory.getLogger("windpark")

fun main() {
    val database = Database.fromEnvironment()
    database.migrate()
    val health = HealthCheck(database.dataSource)
    log.info("started, checkpoints so far: {}", health.checkpoints())
    log.info("see the runbook for num_dead_tuples in pg_stat_progress_vacuum")
}
