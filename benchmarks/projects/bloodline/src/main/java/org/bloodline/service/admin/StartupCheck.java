package org.bloodline.service.admin;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Refuses to start on a database whose schema was changed by hand, or that was created with another locale. */
@Component
public class StartupCheck implements ApplicationRunner {
    /** Constraints of the table donor after V6. */
    private static final int DONOR_CONSTRAINTS = 3;

    private final JdbcTemplate jdbc;

    public StartupCheck(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void run(ApplicationArguments args) {
        String collate = jdbc.queryForObject("SHOW lc_collate", String.class);
        String messages = jdbc.queryForObject("SHOW lc_messages", String.class);
        String template = jdbc.queryForObject(
                "SELECT datcollate FROM pg_database WHERE datname = 'template1'", String.class);
        if (!collate.equals(template) || messages == null) {
            throw new IllegalStateException("lc_collate of the database is " + collate);
        }

        Integer constraints = jdbc.queryForObject(
                "SELECT count(*) FROM pg_constraint WHERE conrelid = 'donor'::regclass", Integer.class);
        if (constraints != DONOR_CONSTRAINTS) {
            throw new IllegalStateException("constraints of donor: " + constraints);
        }
        Integer references = jdbc.queryForObject(
                "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'donor'::regclass", Integer.class);
        Integer targets = jdbc.queryForObject(
                "SELECT count(*) FROM pg_attribute WHERE attrelid = 'unit_of_blood'::regclass AND attstattarget > 0",
                Integer.class);
        if (references < 4 || targets != 1) {
            throw new IllegalStateException("references to donor: " + references + ", targets: " + targets);
        }
    }
}
