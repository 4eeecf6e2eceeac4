package com.example;

import org.springframework.jdbc.core.JdbcTemplate;

/** Watches CLogControlLock and friends. */
public class Monitor {
    private final JdbcTemplate jdbc;

    Monitor(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    int stuck() {
        return jdbc.queryForObject(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'CLogControlLock'", Integer.class);
    }

    int waiting() {
        return jdbc.queryForObject(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientRead'", Integer.class);
    }

    int labelled() {
        return jdbc.queryForObject("SELECT count(*) FROM asset WHERE label = 'CLogControlLock'", Integer.class);
    }

    String dn() {
        return jdbc.queryForObject("SELECT clientdn FROM pg_stat_ssl WHERE pid = pg_backend_pid()", String.class);
    }

    String cipher() {
        return jdbc.queryForObject("SELECT cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()", String.class);
    }

    Boolean compressed() {
        return jdbc.queryForObject("""
            SELECT s.compression
              FROM pg_stat_ssl s
             WHERE s.pid = pg_backend_pid()
            """, Boolean.class);
    }

    double permutations(int serial) {
        return jdbc.queryForObject("SELECT !! serial::bigint FROM asset WHERE asset_id = ?", Double.class, serial);
    }

    Boolean no(int serial) {
        return jdbc.queryForObject("SELECT label !~~ 'x%' FROM asset WHERE asset_id = ?", Boolean.class, serial);
    }

    Boolean hyphenated() {
        return jdbc.queryForObject("SELECT label ~ '^[\\w-z]+$' FROM asset LIMIT 1", Boolean.class);
    }

    Boolean worded() {
        return jdbc.queryForObject("SELECT label ~ '^[\\w-]+$' FROM asset LIMIT 1", Boolean.class);
    }

    Boolean keyed() {
        return jdbc.queryForObject("SELECT relhaspkey FROM asset LIMIT 1", Boolean.class);
    }

    void clean() {
        jdbc.execute("SET vacuum_cleanup_index_scale_factor = 0.2");
        jdbc.execute("SET vacuum_cost_delay = 2");
        jdbc.execute("SET password_encryption = on");
        jdbc.execute("SET password_encryption = md5");
        jdbc.execute("SET \"asset-app.tenant\" = '7'");
        jdbc.execute("SET asset_app.tenant = '7'");
    }
}
