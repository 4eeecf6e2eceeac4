package bets

import doobie._
import doobie.implicits._

object Numbers {

  private val columns = fr"SELECT last_value, increment_by"

  def remaining: ConnectionIO[(Long, Long)] =
    (columns ++ fr"FROM ticket_numbers").query[(Long, Long)].unique

  def current: ConnectionIO[(Long, Boolean)] =
    sql"SELECT last_value, is_called FROM ticket_numbers".query[(Long, Boolean)].unique

  def combinations(n: Int, k: Int): ConnectionIO[BigDecimal] =
    sql"SELECT combinations($n, $k)".query[BigDecimal].unique
}
