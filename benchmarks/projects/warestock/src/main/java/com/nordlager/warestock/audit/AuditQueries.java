package com.nordlager.warestock.audit;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
public class AuditQueries {

    private final JdbcTemplate jdbc;

    public AuditQueries(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> byLogin(String login, int max) {
        String sql = """
                SELECT id, happened_at, action, entity, entity_id
                  FROM audit_event
                 WHERE lower(system_user) = lower(?)
                 ORDER BY happened_at DESC
                 LIMIT ?
                """;
        return jdbc.queryForList(sql, login, max);
    }

    public List<Map<String, Object>> busiest() {
        String sql = """
                SELECT e.system_user, count(*) AS actions
                  FROM audit_event e
                 WHERE e.happened_at > now() - interval '30 days'
                 GROUP BY e.system_user
                 ORDER BY 2 DESC
                """;
        return jdbc.queryForList(sql);
    }
}
