package com.harbourmutual.claims.admin;

import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Writes the data dictionary that the auditors ask for once a year. */
@Component
public class SchemaInspector {

    private static final Logger LOG = LoggerFactory.getLogger(SchemaInspector.class);

    private final JdbcTemplate jdbc;

    public SchemaInspector(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<String> tables() {
        return jdbc.queryForList(
            "SELECT table_name::text FROM information_schema.tables "
            + "WHERE table_schema = 'public' AND table_type = 'BASE TABLE'", String.class);
    }

    public List<Map<String, Object>> checks(String table) {
        return jdbc.queryForList(
            "SELECT conname, consrc FROM pg_constraint "
            + "WHERE contype = 'c' AND conrelid = ?::regclass", table);
    }

    public List<Map<String, Object>> foreignKeys(String table) {
        return jdbc.queryForList(
            "SELECT conname, pg_get_constraintdef(oid) AS consdef FROM pg_constraint "
            + "WHERE contype = 'f' AND conrelid = ?::regclass", table);
    }

    public List<Map<String, Object>> defaults(String table) {
        return jdbc.queryForList(
            "SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) AS adsrc "
            + "FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum "
            + "WHERE d.adrelid = ?::regclass", table);
    }

    public void warnAboutOldLayout() {
        LOG.warn("select consrc from pg_constraint is slow on the archive, use foreignKeys()");
    }
}
