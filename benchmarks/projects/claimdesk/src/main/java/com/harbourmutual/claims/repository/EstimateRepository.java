package com.harbourmutual.claims.repository;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
public class EstimateRepository {

    private final JdbcTemplate jdbc;

    public EstimateRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public void store(long claimId, String garage, String xml) {
        jdbc.update("INSERT INTO estimate (claim_id, garage, doc) VALUES (?, ?, ?::xml)", claimId, garage, xml);
    }

    public List<Map<String, Object>> totals() {
        return jdbc.queryForList(
            "SELECT e.id, e.garage, "
            + "(xpath('total/text()', e.doc))[1]::text AS total "
            + "FROM estimate e ORDER BY e.id");
    }

    public String currency(long id) {
        return jdbc.queryForObject(
            "SELECT (xpath('/estimate/currency/text()', doc))[1]::text FROM estimate WHERE id = ?",
            String.class, id);
    }

    public BigDecimal highest(long claimId) {
        return jdbc.queryForObject(
            "SELECT max((xpath('//total/text()', doc))[1]::text::numeric) FROM estimate WHERE claim_id = ?",
            BigDecimal.class, claimId);
    }
}
