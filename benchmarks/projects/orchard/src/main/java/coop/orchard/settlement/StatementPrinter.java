package coop.orchard.settlement;

import java.util.Map;

/** Hands one statement to the print queue. */
public interface StatementPrinter {
    void print(Map<String, Object> line);
}
