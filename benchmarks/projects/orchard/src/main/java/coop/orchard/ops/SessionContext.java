package coop.orchard.ops;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Tells the database who is at the keyboard; the triggers of the portal read it. */
@Component
public class SessionContext {

    private static final String PORTAL_SETTING = "orchard-portal.user";

    private final JdbcTemplate jdbc;

    public SessionContext(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void enterMember(int memberId) {
        jdbc.queryForObject("SELECT set_config('orchard.member_id', ?, false)", String.class,
                Integer.toString(memberId));
    }

    public void enterPortal(String user) {
        jdbc.queryForObject("SELECT set_config('" + PORTAL_SETTING + "', ?, false)", String.class, user);
    }
}
