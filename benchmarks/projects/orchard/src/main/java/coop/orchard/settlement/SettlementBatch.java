package coop.orchard.settlement;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Reads the settlement of a season in portions and hands it to the printing service. */
@Component
public class SettlementBatch {

    private static final Logger log = LoggerFactory.getLogger(SettlementBatch.class);

    private final JdbcTemplate jdbc;
    private final StatementPrinter printer;

    public SettlementBatch(JdbcTemplate jdbc, StatementPrinter printer) {
        this.jdbc = jdbc;
        this.printer = printer;
    }

    @Transactional
    public int print(int season) {
        jdbc.queryForObject("SELECT open_season_lines(?)", String.class, season);
        int printed = 0;
        List<Map<String, Object>> lines;
        do {
            lines = jdbc.queryForList("FETCH FORWARD 200 FROM season_lines");
            lines.forEach(printer::print);
            printed += lines.size();
        } while (!lines.isEmpty());
        log.info("settlement of {}: {} statements printed", season, printed);
        return printed;
    }

    @Transactional
    public List<Map<String, Object>> unpaid(int season) {
        jdbc.queryForObject("SELECT open_unpaid(?)", String.class, season);
        return jdbc.queryForList("FETCH ALL FROM unpaid_lines");
    }

    public void recompute(int season) {
        jdbc.update(
                "INSERT INTO settlement (member_id, season, net_kg) "
                + "SELECT p.member_id, ?, sum(d.gross_kg - d.tare_kg) "
                + "FROM delivery d JOIN parcel p ON p.id = d.parcel_id "
                + "WHERE d.delivered_on >= make_date(?, 7, 1) AND d.delivered_on < make_date(?, 7, 1) "
                + "GROUP BY p.member_id "
                + "ON CONFLICT (member_id, season) DO UPDATE SET net_kg = excluded.net_kg",
                season, season, season + 1);
    }
}
