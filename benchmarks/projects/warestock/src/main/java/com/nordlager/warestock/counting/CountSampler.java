package com.nordlager.warestock.counting;

import java.util.List;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Draws the bins of a cycle count. The auditors repeat the draw from the number in the protocol, so it
 * must come out the same years later.
 */
@Service
public class CountSampler {

    private static final String DRAW = "SELECT d.id FROM (SELECT b.id, random() AS pos"
            + " FROM (SELECT id FROM bin ORDER BY id) b) d ORDER BY d.pos LIMIT ?";

    private final JdbcTemplate jdbc;

    @Value("${warestock.count.sample-size}")
    private int size;

    public CountSampler(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public List<Integer> draw() {
        jdbc.execute("SELECT setseed(0.2024)");
        return jdbc.queryForList(DRAW, Integer.class, size);
    }

    @Transactional
    public void remember(int bin, double seed) {
        jdbc.update("INSERT INTO count_order (bin_id, due_on, seed) VALUES (?, current_date + 14, ?)", bin, seed);
    }
}
