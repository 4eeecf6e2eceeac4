package com.harbourmutual.claims.health;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
public class DatabaseHealth extends AbstractHealthIndicator {

    private final JdbcTemplate jdbc;

    public DatabaseHealth(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        boolean standby = jdbc.queryForObject("SELECT pg_is_in_recovery()", Boolean.class);
        boolean backup = jdbc.queryForObject("SELECT pg_is_in_backup()", Boolean.class);
        builder.up()
            .withDetail("standby", standby)
            .withDetail("backup", backup)
            .withDetail("size", jdbc.queryForObject(
                "SELECT pg_size_pretty(pg_database_size(current_database()))", String.class));
    }
}
