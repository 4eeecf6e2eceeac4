package com.example.shop.ops;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
public class BackupHealthIndicator implements HealthIndicator {
    private final JdbcTemplate jdbc;

    public BackupHealthIndicator(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Health health() {
        Boolean running = jdbc.queryForObject("SELECT pg_is_in_backup()", Boolean.class);
        Boolean standby = jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class);
        return Health.up().withDetail("backup", running).withDetail("standby", standby).build();
    }
}
