package tramdepot

import slick.jdbc.PostgresProfile.api.*

/** What the page /health shows, and the checks after a deployment. */
object Health:
  /** Positions as text: the reporting job writes them into its file names. */
  val marks =
    sql"""
      SELECT m.consumer,
             m.flushed::text AS position
        FROM sync_marks m
       ORDER BY m.consumer
    """.as[(String, String)]

  val noted =
    sql"SELECT m.consumer, m.seen_as::text AS position FROM sync_marks m ORDER BY m.consumer".as[(String, String)]

  val distance =
    sql"""
      SELECT a.consumer, pg_wal_lsn_diff(b.flushed, a.flushed) AS bytes
        FROM sync_marks a
        JOIN sync_marks b ON b.flushed > a.flushed
       ORDER BY a.consumer
    """.as[(String, BigDecimal)]

  val behind =
    sql"SELECT m.consumer FROM sync_marks m WHERE m.flushed < '1/0'::pg_lsn ORDER BY 1".as[String]

  /** Compared with the list of the release, so that a forgotten constraint is found. */
  val constraints =
    sql"""
      SELECT c.conname, c.contype::text
        FROM pg_catalog.pg_constraint c
       WHERE c.conrelid = 'public.trams'::regclass
       ORDER BY c.conname
    """.as[(String, String)]

  val foreignKeys =
    sql"""
      SELECT c.conname
        FROM pg_constraint c
       WHERE c.contype = 'f' AND c.conrelid = 'public.trams'::regclass
       ORDER BY 1
    """.as[String]

  val keys =
    sql"""
      SELECT count(*)
        FROM pg_constraint c
       WHERE c.contype IN ('p', 'u') AND c.conrelid = 'public.tracks'::regclass
    """.as[Int]

  val migrated =
    sql"SELECT to_regclass('public.sync_marks') IS NOT NULL".as[Boolean]

  val sessions =
    sql"SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'client backend' AND wait_event_type = 'Lock'".as[Boolean]

  val statistics =
    sql"""
      SELECT a.attname
        FROM pg_attribute a
       WHERE a.attrelid = 'public.trams'::regclass AND a.attstattarget > 0
       ORDER BY a.attnum
    """.as[String]

  val collation =
    sql"SELECT datcollate FROM pg_database WHERE datname = current_database()".as[String]

  val samples =
    sql"SELECT s.taken, s.wal_write, s.wal_sync, s.buffers_backend FROM host_samples s ORDER BY s.taken"
      .as[(java.sql.Date, Long, Long, Long)]

  val telemetryBytes =
    sql"SELECT t.tram_id, sum(t.op_bytes) AS op_bytes FROM telemetry t GROUP BY 1 ORDER BY 1".as[(Int, Long)]

  val devices =
    sql"""
      SELECT d.serial_no, host(a.gateway) AS gateway
        FROM devices d
        JOIN device_addresses a ON a.device_id = d.id
       WHERE upper_inf(a.during) AND a.gateway << inet '10.40.0.0/16'
       ORDER BY 1
    """.as[(String, String)]
