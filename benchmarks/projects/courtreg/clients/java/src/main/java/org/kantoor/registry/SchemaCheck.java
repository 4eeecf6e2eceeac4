package org.kantoor.registry;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Refuses to start the portal on a database whose structure somebody has changed. */
public final class SchemaCheck {
    /** Primary key, number, court, type. */
    private static final int CONSTRAINTS = 4;
    private static final int FOREIGN_KEYS = 2;

    private SchemaCheck() {
    }

    public static void run(Connection connection) throws SQLException {
        int constraints = number(connection,
                "SELECT count(*) FROM pg_constraint WHERE conrelid = 'registry.court_case'::regclass");
        int foreignKeys = number(connection,
                "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'registry.court_case'::regclass");
        if (constraints != CONSTRAINTS || foreignKeys != FOREIGN_KEYS) {
            throw new IllegalStateException("court_case has " + constraints + " constraints, not " + CONSTRAINTS);
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
