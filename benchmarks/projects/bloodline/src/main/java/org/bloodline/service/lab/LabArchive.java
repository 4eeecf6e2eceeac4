package org.bloodline.service.lab;

import java.util.List;

import javax.sql.DataSource;

import oracle.jdbc.pool.OracleDataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The laboratory's archive of results before 2017, an Oracle database. */
@Component
public class LabArchive {
    private final JdbcTemplate oracle;

    public LabArchive(@Value("${bloodline.archive.oracle-url}") String url) throws Exception {
        OracleDataSource source = new OracleDataSource();
        source.setURL(url);
        this.oracle = new JdbcTemplate((DataSource) source);
    }

    public List<String> ferritin(String donorNo) {
        return oracle.queryForList(
                "SELECT JSON_VALUE(a.DOC, '$.ferritin') FROM LAB_ARCHIVE a WHERE a.DONOR_NO = ? AND ROWNUM <= 20",
                String.class, donorNo);
    }
}
