package com.nordlager.warestock.stock;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class MovementDao {

    private static final String PAGE_SIZE = "50";

    private static final String COLUMNS = "m.id, m.article_id, m.from_bin, m.to_bin, m.quantity, m.booked_on";

    private static final String LEDGER =
            "SELECT " + COLUMNS
                    + " FROM movement m"
                    + " WHERE m.article_id = :article"
                    + " ORDER BY m.booked_on DESC, m.id DESC"
                    + " LIMIT " + PAGE_SIZE + "OFFSET :offset";

    private static final String RECENT =
            "SELECT " + COLUMNS
                    + " FROM movement m"
                    + " WHERE m.booked_on >= current_date - 7"
                    + " ORDER BY m.id DESC"
                    + " LIMIT " + PAGE_SIZE + " OFFSET :offset";

    private static final String BY_HOUR = """
            SELECT EXTRACT(HOUR FROM m.booked_on) AS booked_hour,
                   count(*) AS bookings
              FROM movement m
             WHERE m.booked_on BETWEEN :first AND :last
             GROUP BY 1
             ORDER BY 1
            """;

    private static final String BY_SHIFT = """
            SELECT EXTRACT(HOUR FROM m.created_at)::int / 8 AS shift,
                   sum(m.quantity) AS pieces
              FROM movement m
             WHERE m.booked_on = :day
             GROUP BY 1
            """;

    private final NamedParameterJdbcTemplate jdbc;

    public MovementDao(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> ledger(int article, int page) {
        return jdbc.queryForList(LEDGER, new MapSqlParameterSource("article", article).addValue("offset", page * 50));
    }

    public List<Map<String, Object>> recent(int page) {
        return jdbc.queryForList(RECENT, Map.of("offset", page * 50));
    }

    public List<Map<String, Object>> byHour(java.time.LocalDate first, java.time.LocalDate last) {
        return jdbc.queryForList(BY_HOUR, Map.of("first", first, "last", last));
    }

    public List<Map<String, Object>> byShift(java.time.LocalDate day) {
        return jdbc.queryForList(BY_SHIFT, Map.of("day", day));
    }

    /** Accounting wants the ledger for a bit more than a quarter online, the rest is in the archive. */
    public int purge() {
        var sql = new StringBuilder("DELETE FROM movement m");
        sql.append(" WHERE m.created_at < now() - interval '0.3 years'");
        sql.append(" AND NOT EXISTS (SELECT 1 FROM bin b WHERE b.id = m.to_bin AND b.blocked)");
        return jdbc.update(sql.toString(), Map.of());
    }

    public int purgeCounts() {
        return jdbc.update("DELETE FROM count_order WHERE due_on < current_date - interval '1.5 years'", Map.of());
    }
}
