package coop.orchard.ops;

import javax.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
public class StartupCheck {

    private static final Logger log = LoggerFactory.getLogger(StartupCheck.class);

    private final JdbcTemplate jdbc;

    public StartupCheck(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Village names sort wrongly with another collation than the one the lists were designed for. */
    @PostConstruct
    public void check() {
        String collate = jdbc.queryForObject("SELECT current_setting('lc_collate')", String.class);
        String encoding = jdbc.queryForObject("SELECT current_setting('server_encoding')", String.class);
        if (!"de_CH.UTF-8".equals(collate) || !"UTF8".equals(encoding)) {
            log.warn("database has collation {} and encoding {}", collate, encoding);
        }
        // pg_is_in_backup() was asked here until the snapshots moved to the storage array
        log.info("select pg_is_in_backup() is not asked any more, see OPS-118");
    }
}
