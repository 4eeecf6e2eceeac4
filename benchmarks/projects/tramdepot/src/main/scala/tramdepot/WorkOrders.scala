package tramdepot

import doobie.*
import doobie.implicits.*
import slick.jdbc.PostgresProfile.api.{sql as plain, sqlu, actionBasedSQLInterpolation}

object WorkOrders:
  final case class Open(id: Long, fleetNo: String, title: String, minutes: Long)

  def open: Query0[Open] =
    sql"SELECT o.id, o.fleet_no, o.title, o.minutes FROM open_work o ORDER BY o.priority, o.id".query[Open]

  def insert(tramId: Int, title: String, priority: Int): Update0 =
    sql"INSERT INTO work_orders (tram_id, title, priority) VALUES ($tramId, $title, $priority)".update

  def close(id: Long): Update0 =
    sql"UPDATE work_orders SET closed = now() WHERE id = $id".update

  /** Axles of the orders: some have none, or null. */
  def axles: Query0[(Long, Option[Int])] =
    sql"SELECT w.id, (w.details ->> 'axle')::int AS axle FROM work_orders w ORDER BY w.id".query[(Long, Option[Int])]

  def warranty: Query0[Long] =
    sql"SELECT w.id FROM work_orders w WHERE w.details @> '{\"warranty\": true}' ORDER BY w.id".query[Long]

  def history(orderId: Long): Query0[(String, String)] =
    sql"""
      SELECT h."system_user", h.was ->> 'title'
        FROM order_history h
       WHERE h.order_id = $orderId
       ORDER BY h.changed
    """.query[(String, String)]

  /** Hours of each mechanic, also of those who have left. */
  val hours =
    plain"""
      SELECT m.name, sum(s.minutes) / 60.0 AS hours
        FROM mechanics m
        JOIN work_steps s ON s.mechanic_id = m.id
       GROUP BY m.name
       ORDER BY m.name
    """.as[(String, BigDecimal)]

  val employed =
    plain"SELECT m.name FROM mechanics m WHERE m.left_on = 'infinity' ORDER BY m.name".as[String]

  val exported =
    plain"""
      SELECT w.id, timestamptz 'epoch' + w.priority * interval '1 day' AS sort_key
        FROM work_orders w
       ORDER BY w.id
    """.as[(Long, java.sql.Timestamp)]

  def addStep(orderId: Long, step: Int, mechanicId: Int) =
    sqlu"INSERT INTO work_steps (order_id, step, mechanic_id) VALUES ($orderId, $step, $mechanicId)"
