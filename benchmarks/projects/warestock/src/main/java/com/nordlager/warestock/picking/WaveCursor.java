package com.nordlager.warestock.picking;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Pages through an open wave; the caller holds the transaction. */
public final class WaveCursor {

    private final Connection connection;

    public WaveCursor(Connection connection) {
        this.connection = connection;
    }

    public void open(int wave) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("SELECT open_wave(?)")) {
            call.setInt(1, wave);
            call.execute();
        }
    }

    public List<String> next() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (PreparedStatement fetch = connection.prepareStatement("FETCH FORWARD 25 FROM pick_cur");
                ResultSet rows = fetch.executeQuery()) {
            while (rows.next()) {
                lines.add(rows.getLong(1) + ";" + rows.getString(2) + ";" + rows.getInt(3));
            }
        }
        return lines;
    }

    public List<String> zoneStock(int zone) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (PreparedStatement call = connection.prepareStatement("SELECT open_zone_stock(?)")) {
            call.setInt(1, zone);
            call.execute();
        }
        try (PreparedStatement fetch = connection.prepareStatement("FETCH ALL IN zone_stock");
                ResultSet rows = fetch.executeQuery()) {
            while (rows.next()) {
                lines.add(rows.getString(1) + ";" + rows.getInt(2) + ";" + rows.getInt(3));
            }
        }
        return lines;
    }
}
