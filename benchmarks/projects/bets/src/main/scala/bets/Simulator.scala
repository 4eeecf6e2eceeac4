package bets

import doobie._
import doobie.implicits._

object Simulator {

  def seed(value: Double): ConnectionIO[Unit] =
    sql"SELECT 1 FROM (SELECT setseed($value)) AS seeded".query[Int].unique.map(_ => ())

  def outcomes(event: Long, rounds: Int): ConnectionIO[List[String]] =
    sql"""
      SELECT drawn.outcome
        FROM generate_series(1, $rounds) AS round,
             LATERAL (SELECT outcome FROM selections
                       WHERE event_id = $event AND round > 0
                       ORDER BY random() / odds LIMIT 1) AS drawn
    """.query[String].to[List]
}
