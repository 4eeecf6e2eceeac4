package tramdepot

import doobie.*
import doobie.implicits.*
import cats.effect.IO
import slick.jdbc.PostgresProfile.api.*

object Database:
  val db = slick.jdbc.JdbcBackend.Database.forConfig("tramdepot.db")

  def transactor(user: String): Transactor[IO] =
    Transactor.fromDriverManager[IO]("org.postgresql.Driver", "jdbc:postgresql:tramdepot", user, "", None)

  /** Long imports: no limit for the session, and back to the role's afterwards. */
  val unlimited = sqlu"SET statement_timeout = 0"
  val limited = sqlu"RESET statement_timeout"
