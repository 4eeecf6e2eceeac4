package coop.orchard.delivery;

import java.sql.Date;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** Reports for the ramp office. */
@Repository
public class DeliveryReportDao {

    private static final int PAGE = 50;

    private static final String BY_HOUR =
            "SELECT date_part('hour', d.arrived_at) AS hour, sum(d.gross_kg - d.tare_kg) AS net "
            + "FROM delivery d "
            + "WHERE d.delivered_on = ? "
            + "GROUP BY 1 ORDER BY 1";

    private static final String SHIFTS =
            "SELECT d.id, d.bin_no, "
            + "CASE WHEN EXTRACT(HOUR FROM d.delivered_on) < 12 THEN 'early' ELSE 'late' END AS shift "
            + "FROM delivery d "
            + "WHERE d.delivered_on BETWEEN ? AND ?";

    private static final String WEEKS =
            "SELECT CAST(EXTRACT(WEEK FROM d.delivered_on) AS integer) AS week, count(*) AS bins "
            + "FROM delivery d WHERE d.grade = ? GROUP BY 1";

    private static final String LIST =
            "SELECT d.id, d.bin_no, d.gross_kg, d.grade, d.note FROM delivery d ";

    private final JdbcTemplate jdbc;

    public DeliveryReportDao(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> byHour(LocalDate day) {
        return jdbc.queryForList(BY_HOUR, Date.valueOf(day));
    }

    public List<Map<String, Object>> shifts(LocalDate from, LocalDate to) {
        return jdbc.queryForList(SHIFTS, Date.valueOf(from), Date.valueOf(to));
    }

    public List<Map<String, Object>> weeks(String grade) {
        return jdbc.queryForList(WEEKS, grade);
    }

    /** One page of the list on the screen at the ramp. */
    public List<Map<String, Object>> page(int page) {
        return jdbc.queryForList(
                LIST + "ORDER BY d.arrived_at DESC LIMIT 50"
                        + "OFFSET ?",
                page * PAGE);
    }

    public List<Map<String, Object>> pageOfGrade(String grade, int page) {
        return jdbc.queryForList(
                LIST + "WHERE d.grade = ? ORDER BY d.id LIMIT 50 OFFSET ?",
                grade, page * PAGE);
    }

    public List<Map<String, Object>> slowRuns() {
        return jdbc.queryForList(
                "SELECT r.line, r.calls, r.total_time, r.mean_time "
                + "FROM sorting_run r WHERE r.total_time > 600 ORDER BY r.total_time DESC");
    }

    public List<Map<String, Object>> binsStartingWith(String digits) {
        return jdbc.queryForList("SELECT id FROM delivery WHERE bin_no::text LIKE ?", digits + "%");
    }
}
