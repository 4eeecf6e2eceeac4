package com.tidewater.quayside.service;

import com.tidewater.quayside.mapper.StayMapper;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

@Service
public class StatisticsService {
    private static final Logger log = LoggerFactory.getLogger(StatisticsService.class);
    private final JdbcTemplate jdbc;
    private final StayMapper stays;

    public StatisticsService(JdbcTemplate jdbc, StayMapper stays) {
        this.jdbc = jdbc;
        this.stays = stays;
    }

    public List<Map<String, Object>> occupancy() {
        return jdbc.queryForList(
            "SELECT p.code, count(*) AS berths, count(s.stay_id) AS taken"
                + "  FROM pontoon p JOIN berth b USING (pontoon_id)"
                + "  LEFT JOIN stay s ON s.berth_id = b.berth_id AND s.departed_at IS NULL"
                + " GROUP BY p.code ORDER BY p.code");
    }

    public void logDurations() {
        log.info("select extract(epoch from departed_at) from stay: {} rows", stays.durations().size());
    }

    public List<Map<String, Object>> rates() {
        return jdbc.queryForList("SELECT berth_class, per_metre, normalize FROM rate WHERE normalize ORDER BY rate_id");
    }

    public List<String> csvLines() {
        return jdbc.queryForList(
            "SELECT full_name || chr(9) || coalesce(email, '') FROM customer ORDER BY customer_id", String.class);
    }
}
