package tramdepot

import doobie.*
import doobie.implicits.*
import doobie.postgres.implicits.*
import java.time.OffsetDateTime

object Faults:
  private val perTram =
    fr"SELECT t.fleet_no, array_sort(array_agg(f.code)) AS codes, count(*) AS n" ++
      fr"FROM faults f JOIN trams t ON t.id = f.tram_id"

  def codesOfDepot(depotId: Int): Query0[(String, List[Int], Long)] =
    (perTram ++ fr"WHERE t.depot_id = $depotId GROUP BY t.fleet_no ORDER BY t.fleet_no")
      .query[(String, List[Int], Long)]

  def severities: Query0[(String, List[Int])] =
    sql"""
      SELECT t.fleet_no, public.array_sort(array_agg(c.severity::int)) AS severities
        FROM faults f
        JOIN fault_codes c ON c.code = f.code
        JOIN trams t ON t.id = f.tram_id
       GROUP BY t.fleet_no
       ORDER BY t.fleet_no
    """.query[(String, List[Int])]

  /** What the display in the control room shows. */
  def alarms: Query0[(Int, String, Boolean, Boolean)] =
    sql"""
      SELECT a.code,
             c.title,
             a.muted ignore,
             a.respect > 1 AS respect
        FROM alarms a
        JOIN fault_codes c ON c.code = a.code
       ORDER BY a.code
    """.query[(Int, String, Boolean, Boolean)]

  def ignored: Query0[(Int, Boolean)] =
    sql"SELECT a.code, a.muted AS ignore FROM alarms a WHERE a.ignore ORDER BY a.code".query[(Int, Boolean)]

  def ranks: Query0[(Int, Int)] =
    sql"SELECT x.ignore, x.respect FROM (SELECT a.code AS ignore, a.respect FROM alarms a) x ORDER BY 1".query[(Int, Int)]

  def bogieTemperatures: Query0[(Long, Option[Int])] =
    sql"""
      SELECT f.id, (f.payload #>> '{bogie,temp}')::int AS temp
        FROM faults f
       WHERE public.json_exists(f.payload, 'bogie.temp')
       ORDER BY f.id
    """.query[(Long, Option[Int])]

  def doors: Query0[(String, Long)] =
    sql"""
      SELECT json_text(f.payload, 'door') AS door, count(*)
        FROM faults f
       WHERE f.payload ? 'door'
       GROUP BY 1
       ORDER BY 1
    """.query[(String, Long)]

  def since(tramId: Int, from: OffsetDateTime): Query0[(Int, OffsetDateTime)] =
    sql"SELECT f.code, f.seen FROM faults f WHERE f.tram_id = $tramId AND f.seen >= $from ORDER BY f.seen"
      .query[(Int, OffsetDateTime)]

  def lastDays: Query0[Int] =
    sql"SELECT DISTINCT f.code FROM faults f WHERE f.seen > timestamptz '2025-03-01 00:00+00' + interval '2 days ago' ORDER BY 1"
      .query[Int]

  def minutesOpen: Query0[(Int, Double)] =
    sql"""
      SELECT f.code, avg(extract(epoch FROM f.cleared - f.seen) / 60)::float8
        FROM faults f
       WHERE f.cleared IS NOT NULL
       GROUP BY f.code
       ORDER BY f.code
    """.query[(Int, Double)]

  def clear(id: Long): Update0 =
    sql"UPDATE faults SET cleared = now() WHERE id = $id AND cleared IS NULL".update
