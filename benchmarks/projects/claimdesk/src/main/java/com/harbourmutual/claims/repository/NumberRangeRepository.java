package com.harbourmutual.claims.repository;

import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** The range of claim numbers, which the head office allots to the branches. */
@Repository
public class NumberRangeRepository {

    private final JdbcTemplate jdbc;

    public NumberRangeRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public long next() {
        return jdbc.queryForObject("SELECT nextval('claim_number_seq')", Long.class);
    }

    public Map<String, Object> range() {
        return jdbc.queryForMap("SELECT last_value, increment_by FROM claim_number_seq");
    }

    public boolean untouched() {
        return !jdbc.queryForObject("SELECT is_called FROM claim_number_seq", Boolean.class);
    }

    public void restart(long number) {
        jdbc.queryForObject("SELECT setval('claim_number_seq', ?, false)", Long.class, number);
    }
}
