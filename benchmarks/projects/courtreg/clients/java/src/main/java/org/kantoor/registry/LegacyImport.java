package org.kantoor.registry;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Takes over the parties of the old system, which runs on Oracle until the archive has signed it off. */
public class LegacyImport {
    public int parties(Connection registry, String password) throws SQLException {
        int count = 0;
        try (Connection oracle = DriverManager.getConnection("jdbc:oracle:thin:@//old-registry:1521/JUS", "jus", password);
                Statement select = oracle.createStatement();
                ResultSet rows = select.executeQuery("SELECT JSON_VALUE(doc, '$.name') name, reg_no FROM jus_party WHERE ROWNUM <= 5000");
                PreparedStatement insert = registry.prepareStatement(
                        "INSERT INTO registry.party (full_name, register_no) VALUES (?, ?)")) {
            while (rows.next()) {
                insert.setString(1, rows.getString("NAME"));
                insert.setString(2, rows.getString("REG_NO"));
                count += insert.executeUpdate();
            }
        }
        return count;
    }
}
