package nl.tidewire.cdc

import mu.KotlinLogging
import nl.tidewire.cdc.monitor.Collector
import nl.tidewire.cdc.outbox.OutboxReader
import nl.tidewire.cdc.slot.SlotPositions
import org.jooq.SQLDialect
import org.jooq.impl.DSL
import java.time.Duration

private val log = KotlinLogging.logger {}

fun main() {
    val settings = Settings.load()
    val pool = settings.dataSource()
    val ctx = DSL.using(pool, SQLDialect.POSTGRES)

    StartupCheck(ctx).run()

    val positions = SlotPositions(ctx, settings.sourceId)
    val outbox = OutboxReader(ctx, settings.batch)
    val collector = Collector(ctx)

    log.info { "streaming ${settings.publication} from slot ${settings.slot}" }
    while (!Thread.currentThread().isInterrupted) {
        val sent = outbox.drain { record -> settings.producer.send(record) }
        positions.remember(settings.slot)
        if (sent == 0) {
            collector.sample()
            Thread.sleep(Duration.ofSeconds(1).toMillis())
        }
    }
}
