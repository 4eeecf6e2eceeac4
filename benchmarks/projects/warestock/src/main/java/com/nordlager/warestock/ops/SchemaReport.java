package com.nordlager.warestock.ops;

import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
@Endpoint(id = "schema")
public class SchemaReport {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaReport.class);

    private static final String DEFAULTS =
            "SELECT c.relname, a.attname, d.adsrc"
                    + " FROM pg_attrdef d"
                    + " JOIN pg_class c ON c.oid = d.adrelid"
                    + " JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum"
                    + " ORDER BY 1, 2";

    private static final String CHECKS =
            "SELECT n.conname, pg_get_constraintdef(n.oid) AS consrc"
                    + " FROM pg_constraint n"
                    + " WHERE n.contype = 'c' AND n.conrelid = ?::regclass"
                    + " ORDER BY 1";

    private final JdbcTemplate jdbc;

    public SchemaReport(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @ReadOperation
    public Map<String, List<Map<String, Object>>> report() {
        LOG.info("schema report; SELECT pg_stop_backup() first if it takes too long");
        return Map.of(
                "defaults", jdbc.queryForList(DEFAULTS),
                "checks", jdbc.queryForList(CHECKS, "movement"));
    }
}
