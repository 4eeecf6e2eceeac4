package com.example.shop.order;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class OrderDao {
    private static final String COLUMNS = "o.id, o.customer_id, o.status, o.placed_at, o.total";

    private final JdbcTemplate jdbc;

    public OrderDao(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> open(long customer) {
        return jdbc.queryForList(
            "SELECT " + COLUMNS + " FROM orders o"
                + " WHERE o.status = 1AND o.customer_id = ?"
                + " ORDER BY o.placed_at DESC", customer);
    }

    public List<Map<String, Object>> page(int status, int offset) {
        return jdbc.queryForList(
            "SELECT " + COLUMNS + " FROM orders o WHERE o.status = ?"
                + " ORDER BY o.id LIMIT 50 OFFSET ?", status, offset);
    }

    public List<Map<String, Object>> duePerHour(LocalDate from) {
        String sql = "SELECT count(*) AS orders,"
            + " extract(hour FROM o.due_on) AS due_hour"
            + " FROM orders o WHERE o.due_on >= ?"
            + " GROUP BY 2";
        return jdbc.queryForList(sql, from);
    }

    public List<Map<String, Object>> placedPerHour(LocalDate from) {
        String sql = "SELECT count(*) AS orders,"
            + " date_part('hour', o.placed_at) AS placed_hour"
            + " FROM orders o WHERE o.placed_at >= ?"
            + " GROUP BY 2";
        return jdbc.queryForList(sql, from);
    }

    public List<String> channels() {
        return jdbc.queryForList("SELECT DISTINCT public.json_value(payload, 'channel') FROM orders", String.class);
    }
}
