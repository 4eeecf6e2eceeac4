package com.example.shop.ops;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class DatabaseMetrics {
    private static final Logger log = LoggerFactory.getLogger(DatabaseMetrics.class);
    private static final String WRITER = """
        SELECT buffers_alloc,
               buffers_backend
          FROM pg_stat_bgwriter
        """;

    private final JdbcTemplate jdbc;
    private final MeterRegistry registry;

    public DatabaseMetrics(JdbcTemplate jdbc, MeterRegistry registry) {
        this.jdbc = jdbc;
        this.registry = registry;
    }

    @Scheduled(fixedDelay = 60_000)
    public void collect() {
        Map<String, Object> row = jdbc.queryForMap(WRITER);
        row.forEach((name, value) -> registry.gauge("db.bgwriter." + name, ((Number) value).doubleValue()));
        Long timed = jdbc.queryForObject(
            "SELECT max(checkpoints_timed) FROM metrics_snapshot", Long.class);
        log.debug("pg_start_backup() may explain a peak, {} checkpoints", timed);
    }
}
