package org.kantoor.registry;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Reads cases for the lawyers' portal. */
public class CaseDao {
    private static final String BY_COURT = """
            SELECT case_id, case_no, status::text
              FROM registry.open_case
             WHERE court_code = ?
               AND filed_on >= ?
             ORDER BY filed_on
            """;

    private final Connection connection;

    public CaseDao(Connection connection) {
        this.connection = connection;
    }

    public List<String> openCases(String court, LocalDate since) throws SQLException {
        List<String> numbers = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(BY_COURT)) {
            statement.setString(1, court);
            statement.setObject(2, since);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    numbers.add(rows.getString("case_no"));
                }
            }
        }
        return numbers;
    }

    public String asJson(long caseId) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT registry.case_as_json(?)")) {
            statement.setLong(1, caseId);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }
}
