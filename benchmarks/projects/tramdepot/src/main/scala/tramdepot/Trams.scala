package tramdepot

import slick.jdbc.GetResult
import slick.jdbc.PostgresProfile.api.*

final case class Tram(id: Int, fleetNo: String, typeCode: String, state: String, km: Int)

object Trams:
  given GetResult[Tram] = GetResult(r => Tram(r.<<, r.<<, r.<<, r.<<, r.<<))

  def byFleetNo(typed: String) =
    sql"""
      SELECT t.id, t.fleet_no, t.type_code, t.state::text, t.km
        FROM trams t
       WHERE fleet_key(t.fleet_no) = fleet_key($typed)
    """.as[Tram]

  def ofDepot(depotId: Int) =
    sql"""
      SELECT t.id, t.fleet_no, t.type_code, t.state::text, t.km
        FROM trams t
        JOIN depots d ON d.id = t.depot_id
       WHERE d.id = $depotId AND t.state <> 'retired'
       ORDER BY t.fleet_no
    """.as[Tram]

  /** Deliveries by quarter, for the plan of renewals. */
  val deliveries =
    sql"""
      SELECT extract(year FROM t.delivered)::int AS year,
             extract(quarter FROM t.delivered)::int AS quarter,
             count(*)
        FROM trams t
       GROUP BY 1, 2
       ORDER BY 1, 2
    """.as[(Int, Int, Int)]

  val mirrored =
    sql"SELECT t.fleet_no, reverse(t.fleet_no) AS mirrored FROM trams t ORDER BY t.fleet_no".as[(String, String)]

  val depots =
    sql"SELECT d.id, depot_key(d.name) AS key, d.opened FROM depots d ORDER BY d.id".as[(Int, String, Option[java.sql.Date])]

  def setState(id: Int, state: String) =
    sqlu"UPDATE trams SET state = $state::tram_state WHERE id = $id"

  /** Free tracks with a pit at a moment. */
  def freePits(at: java.sql.Timestamp) =
    sql"""
      SELECT k.id, k.label
        FROM tracks k
       WHERE k.pit
         AND NOT EXISTS (SELECT FROM track_bookings b WHERE b.track_id = k.id AND b.during @> $at::timestamptz)
       ORDER BY k.label
    """.as[(Int, String)]

  val nextInspections =
    sql"""
      SELECT w.tram_id, max(date_add(w.measured, 180)) AS due
        FROM wheel_profiles w
       GROUP BY w.tram_id
       ORDER BY 2, 1
    """.as[(Int, java.sql.Date)]

  val worstWheels =
    sql"""
      SELECT w.tram_id, w.axle, w.worst_mm
        FROM wheel_profiles w
       WHERE w.measured > date '2025-03-05' - interval '200 days'
       ORDER BY w.worst_mm
       LIMIT 10
    """.as[(Int, Int, BigDecimal)]
