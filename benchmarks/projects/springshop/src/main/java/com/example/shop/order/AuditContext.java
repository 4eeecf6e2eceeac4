package com.example.shop.order;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@Component
public class AuditContext {
    private final JdbcTemplate jdbc;

    public AuditContext(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional(propagation = Propagation.MANDATORY)
    public void enter(String user, String tenant) {
        jdbc.queryForObject("SELECT set_config('spring-shop.user', ?, true)", String.class, user);
        jdbc.queryForObject("SELECT set_config('springshop.tenant', ?, true)", String.class, tenant);
    }
}
