package bets

import doobie._
import doobie.implicits._
import doobie.postgres.implicits._

object Tickets {

  def place(account: Long, stake: BigDecimal, legs: List[Long], odds: Double): ConnectionIO[Long] =
    sql"""INSERT INTO tickets (account_id, stake, legs, total_odds)
          VALUES ($account, $stake, $legs, $odds) RETURNING id""".query[Long].unique

  def legs(account: Long): ConnectionIO[List[(Long, Option[Long])]] =
    sql"""
      SELECT t.id,
             CASE WHEN t.settled_at IS NULL THEN unnest(t.legs) END AS selection_id
        FROM tickets t
       WHERE t.account_id = $account
    """.query[(Long, Option[Long])].to[List]

  def openLegs(account: Long): ConnectionIO[List[Long]] =
    sql"SELECT selection_id FROM open_tickets WHERE account_id = $account".query[Long].to[List]

  def actor(name: String): ConnectionIO[String] =
    sql"SELECT set_config('bets-api.actor', $name, true)".query[String].unique

  def channel(name: String): ConnectionIO[String] =
    sql"SELECT set_config('bets.channel', $name, true)".query[String].unique
}
