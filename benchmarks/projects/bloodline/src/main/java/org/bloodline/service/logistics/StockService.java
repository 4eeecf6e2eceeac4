package org.bloodline.service.logistics;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

@Service
public class StockService {
    private final JdbcTemplate jdbc;

    public StockService(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> stock() {
        return jdbc.queryForList("""
                SELECT blood_group, component, count(*) AS units, min(expires_on) AS next_expiry
                  FROM unit_of_blood
                 WHERE issued_at IS NULL AND expires_on >= current_date
                 GROUP BY blood_group, component
                 ORDER BY blood_group, component
                """);
    }

    /** Routes on which the box is read too seldom for platelets. */
    public List<Map<String, Object>> sparseRoutes(int atLeast) {
        return jdbc.queryForList("""
                SELECT r.route_id, r.name,
                       r.checkpoints_timed
                  FROM transport_route r
                 WHERE r.checkpoints_req = 0
                 GROUP BY r.route_id
                HAVING min(r.checkpoints_timed) < ?
                """, atLeast);
    }

    public int issue(long unit) {
        return jdbc.update("UPDATE unit_of_blood SET issued_at = now() WHERE unit_id = ? AND issued_at IS NULL", unit);
    }
}
