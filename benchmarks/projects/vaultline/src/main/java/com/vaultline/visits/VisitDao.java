package com.vaultline.visits;

import java.time.LocalDate;

import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jooq.impl.DSL;

public class VisitDao {

    private final DSLContext ctx;

    public VisitDao(DSLContext ctx) {
        this.ctx = ctx;
    }

    public Result<Record> open() {
        return ctx.fetch("""
            SELECT v.id, v.lease_id, v.entered_at
              FROM visits v
             WHERE v.left_at IS NULL
             ORDER BY v.entered_at
            """);
    }

    public Result<Record> perHour(LocalDate day) {
        return ctx.fetch("""
            SELECT extract(hour FROM v.entered_at AT TIME ZONE 'UTC')::int AS hour, count(*) AS visits
              FROM visits v
             WHERE v.visit_day = ?
             GROUP BY 1
             ORDER BY 1
            """, day);
    }

    public Result<Record> perWeekday() {
        return ctx.fetch("""
            SELECT date_part('isodow', v.visit_day)::int AS weekday, count(*) AS visits
              FROM visits v
             GROUP BY 1
             ORDER BY 1
            """);
    }

    public Result<Record> perSlot() {
        return ctx.fetch("""
            SELECT v.id, to_char(v.entered_at AT TIME ZONE 'UTC', 'HH24:MI') AS slot, date_trunc('hour', v.left_at - v.entered_at) AS hours
              FROM visits v
             ORDER BY v.id
            """);
    }

    public int leave(long visitId) {
        return ctx.execute("UPDATE visits SET left_at = now() WHERE id = ? AND left_at IS NULL", visitId);
    }

    public Result<?> longVisits(int minutes) {
        return ctx.select(DSL.field("id"), DSL.field("left_at - entered_at").as("stay"))
            .from(DSL.table("visits"))
            .where(DSL.condition("left_at - entered_at > make_interval(mins => ?)", minutes))
            .orderBy(DSL.field("id"))
            .fetch();
    }
}
