package org.bloodline.service.admin;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** What the dashboard of the operators shows beside the application's own state. */
@Component
public class DatabaseHealth implements HealthIndicator {
    private static final Logger log = LoggerFactory.getLogger(DatabaseHealth.class);

    private final JdbcTemplate jdbc;

    public DatabaseHealth(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Health health() {
        Long checkpoints = jdbc.queryForObject("SELECT checkpoints_timed FROM pg_stat_bgwriter", Long.class);
        Long cleaned = jdbc.queryForObject("SELECT buffers_clean FROM pg_stat_bgwriter", Long.class);
        Long sessions = jdbc.queryForObject(
                "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'", Long.class);
        if (sessions != null && sessions > 180) {
            log.warn("many sessions: is old_snapshot_threshold still set?");
        }
        return Health.up()
                .withDetail("checkpoints", checkpoints)
                .withDetail("cleaned", cleaned)
                .withDetail("sessions", sessions)
                .build();
    }
}
