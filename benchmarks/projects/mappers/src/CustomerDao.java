package shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.data.jpa.repository.Query;

interface CustomerRepository {
    @Query(value = "SELECT c.id, extract(year from c.since) FROM customer c", nativeQuery = true)
    List<Object[]> years();

    @Query(value = "SELECT c.id, cast(extract(year from c.since) as integer) as y FROM customer c", nativeQuery = true)
    List<Object[]> yearsAsInt();

    @Query("SELECT c FROM Customer c WHERE c.rating > :rating")
    List<Customer> rated(BigDecimal rating);

    @Query(value = "SELECT id FROM customer WHERE id = :id AND rating >= 3.5or tier = 'g'", nativeQuery = true)
    List<Long> good(long id);
}

class CustomerDao {
    private static final String TABLE = "customer";
    private static final String BY_NAME =
        "SELECT id, name FROM " + TABLE
        + " WHERE name ~ '[\\w-z]+' AND id > ?";
    private static final String BY_NAME_PLAIN =
        "SELECT id, name FROM " + TABLE
        + " WHERE name ~ '^[\\w.]+$' AND id > ?";
    private final JdbcTemplate jdbc;

    CustomerDao(JdbcTemplate jdbc) { this.jdbc = jdbc; }

    void backup() {
        jdbc.execute("SELECT pg_start_backup('nightly', false, false)");
        log.info("SELECT pg_stop_backup() follows");
        if (databaseMajorVersion < 15) {
            jdbc.execute("SELECT pg_stop_backup(false)");
        }
        jdbc.execute("SELECT pg_create_restore_point('nightly')");
    }

    Long seed() {
        jdbc.execute("SELECT setseed(0.42)");
        return jdbc.queryForObject("SELECT 42 AS setseed", Long.class);
    }
}
