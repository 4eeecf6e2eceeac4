package org.bloodline.service.lab;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class LabResultDao {
    private static final String LOW_FERRITIN = """
            SELECT n.donor_id, r.received_at
              FROM lab_result r
              JOIN donation n USING (donation_id)
             WHERE json_value(r.payload, 'ferritin') < ?
             ORDER BY r.received_at DESC
            """;

    private static final String HAEMOGLOBIN = """
            SELECT public.json_value(r.payload, 'haemoglobin')
              FROM lab_result r
             WHERE r.donation_id = ?
             ORDER BY r.received_at DESC
             LIMIT 1
            """;

    private final JdbcTemplate jdbc;

    public LabResultDao(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> lowFerritin(String limit) {
        return jdbc.queryForList(LOW_FERRITIN, limit);
    }

    public String haemoglobin(long donation) {
        return jdbc.queryForObject(HAEMOGLOBIN, String.class, donation);
    }

    /** A number for a sample that leaves the house without a name. */
    public int sampleNumber() {
        return jdbc.queryForObject("SELECT util.random(100000, 999999)", Integer.class);
    }
}
