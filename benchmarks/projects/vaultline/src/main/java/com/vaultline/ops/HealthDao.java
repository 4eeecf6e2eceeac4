package com.vaultline.ops;

import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;

/** What the operations page shows. */
public class HealthDao {

    private final DSLContext ctx;

    public HealthDao(DSLContext ctx) {
        this.ctx = ctx;
    }

    public boolean standby() {
        return Boolean.TRUE.equals(ctx.fetchValue("SELECT pg_is_in_recovery()"));
    }

    public Record locale() {
        return ctx.fetchOne("SELECT d.datcollate::text AS lc_collate, d.datctype::text AS lc_ctype FROM pg_database d WHERE d.datname = current_database()");
    }

    public Result<Record> biggest() {
        return ctx.fetch("""
            SELECT c.relname, c.relkind::text AS kind, pg_size_pretty(pg_relation_size(c.oid)) AS size
              FROM pg_class c
             WHERE c.relnamespace = 'public'::regnamespace
               AND c.relkind IN ('r', 'm')
             ORDER BY c.relname
            """);
    }

    public Result<Record> extensions() {
        return ctx.fetch("SELECT e.extname FROM pg_extension e WHERE e.extname NOT IN ('plpgsql', 'adminpack') ORDER BY 1");
    }

    public Result<Record> settings() {
        return ctx.fetch("""
            SELECT s.name, s.setting
              FROM pg_settings s
             WHERE s.name IN ('max_connections', 'hot_standby', 'wal_level')
             ORDER BY s.name
            """);
    }
}
