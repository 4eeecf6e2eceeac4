package com.vaultline.audit;

import java.time.OffsetDateTime;

import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;

public class AuditDao {

    private final DSLContext ctx;

    public AuditDao(DSLContext ctx) {
        this.ctx = ctx;
    }

    public Result<Record> latest(int limit) {
        return ctx.fetch("""
            SELECT a.id, a.at, a.system_user, a.action
              FROM audit_log a
             WHERE a.id > 100
             ORDER BY a.id DESC
             LIMIT ?
            """, limit);
    }

    /** Shown on the page of an employee. */
    public Result<Record> ofStaff(String login) {
        return ctx.fetch("""
            SELECT id,
                   action,
                   system_user,
                   payload
              FROM audit_log
             WHERE staff_login = ?
             ORDER BY id
            """, login);
    }

    public Result<Record> callers() {
        return ctx.fetch("""
            SELECT "system_user" AS caller, count(*) AS entries
              FROM audit_log
             WHERE id BETWEEN 101 AND 199
             GROUP BY "system_user"
             ORDER BY 1
            """);
    }

    public Result<Record> kiosk() {
        return ctx.fetch("""
            SELECT 'kiosk' AS system_user, l.action, l.payload
              FROM audit_log l
             WHERE l.system_user = 'kiosk'
             ORDER BY l.id
            """);
    }

    public Result<Record> viewed() {
        return ctx.fetch("SELECT c.caller, c.entries FROM audit_callers c WHERE c.caller <> 'batch' ORDER BY c.caller");
    }

    public int add(String caller, String action) {
        return ctx.execute("INSERT INTO audit_log (\"system_user\", action) VALUES (?, ?)", caller, action);
    }

    public Record whoAmI() {
        return ctx.fetchOne("SELECT session_user, current_user, 'system_user' AS system_account");
    }

    public int forget(OffsetDateTime before) {
        return ctx.execute("DELETE FROM audit_log AS a WHERE a.at < ? AND a.system_user = 'batch'", before);
    }
}
