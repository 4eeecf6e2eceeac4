package com.harbourmutual.claims.repository;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class ReserveRepository {

    private final JdbcTemplate jdbc;

    public ReserveRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void set(long claimId, BigDecimal amount, String reason) {
        jdbc.update("INSERT INTO reserve (claim_id, amount, reason) VALUES (?, ?, ?)", claimId, amount, reason);
    }

    public List<Map<String, Object>> openReserves() {
        return jdbc.queryForList(
            "SELECT c.number, sum(r.amount) AS reserved "
            + "FROM claim c JOIN reserve r ON r.claim_id = c.id "
            + "WHERE c.status <> 'CLOSED' GROUP BY c.number");
    }

    /** Reserves by the hour in which the claim came in, for the staffing plan of the hotline. */
    public List<Map<String, Object>> byHour() {
        return jdbc.queryForList(
            "SELECT extract(hour FROM c.opened_at) AS hour, count(*) AS claims, sum(r.amount) AS reserved "
            + "FROM claim c JOIN reserve r ON r.claim_id = c.id GROUP BY 1 ORDER BY 1");
    }
}
