package com.nordlager.warestock.layout;

import java.util.List;

import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class BinLocator {

    private static final RowMapper<String> CODE = (rs, n) -> rs.getString("code");

    private final NamedParameterJdbcTemplate jdbc;

    public BinLocator(NamedParameterJdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Bins that stand outside of the zone that they are booked to. */
    public List<String> misplaced(int site) {
        return jdbc.query("""
                SELECT b.code
                  FROM bin b
                  JOIN zone z ON z.id = b.zone_id
                 WHERE z.site_id = :site
                   AND NOT (b.spot @ z.outline)
                """, java.util.Map.of("site", site), CODE);
    }

    public List<String> inside(int zone) {
        return jdbc.query("""
                SELECT b.code
                  FROM bin b, zone z
                 WHERE z.id = :zone
                   AND b.spot <@ z.outline
                   AND NOT b.blocked
                """, java.util.Map.of("zone", zone), CODE);
    }

    public List<String> anyFree(int zone, int wanted) {
        return jdbc.query(
                "SELECT code FROM bin WHERE zone_id = :zone AND NOT blocked ORDER BY random() LIMIT :wanted",
                java.util.Map.of("zone", zone, "wanted", wanted), CODE);
    }
}
