package sensors

import doobie._
import doobie.implicits._

object Queries {
  def lag: ConnectionIO[Option[Long]] =
    sql"SELECT pg_xlog_location_diff(sent_location, replay_location)::bigint FROM pg_stat_replication".query[Long].option

  def lagNow: ConnectionIO[Option[Long]] =
    sql"SELECT pg_wal_lsn_diff(sent_lsn, replay_lsn)::bigint FROM pg_stat_replication".query[Long].option

  def aggregates: Query0[String] =
    sql"""
      SELECT p.proname
        FROM pg_catalog.pg_proc p
       WHERE p.proisagg
         AND pg_function_is_visible(p.oid)
    """.query[String]

  def audited(who: String): Query0[Boolean] =
    sql"SELECT a.proisagg FROM audit a WHERE a.who = $who".query[Boolean]

  def nextBatch: Query0[Long] =
    sql"SELECT last_value + increment_by FROM batch_numbers".query[Long]

  def batches: Query0[Long] =
    sql"SELECT last_value FROM batch_numbers".query[Long]

  val message: String = "replay_location is behind sent_location"

  def pairs: Query0[(Int, Int)] =
    sql"SELECT CASE WHEN id > 0 THEN generate_series(1, id) END, id FROM sensors".query[(Int, Int)]

  def series: Query0[Int] =
    sql"SELECT g FROM sensors, generate_series(1, id) AS g".query[Int]
}
