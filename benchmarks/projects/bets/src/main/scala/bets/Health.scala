package bets

import doobie._
import doobie.implicits._
import org.slf4j.LoggerFactory

object Health {

  private val log = LoggerFactory.getLogger(getClass)

  val position: ConnectionIO[String] =
    sql"SELECT pg_current_xlog_location()::text".query[String].unique

  val foreignTables: ConnectionIO[List[String]] =
    sql"""SELECT table_name::text
            FROM information_schema.tables
           WHERE table_schema = 'odds_feed' AND table_type = 'FOREIGN TABLE'""".query[String].to[List]

  val ownTables: ConnectionIO[List[String]] =
    sql"""SELECT table_name::text
            FROM information_schema.tables
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE'""".query[String].to[List]

  val checks: ConnectionIO[List[(String, String)]] =
    sql"""SELECT conname::text, pg_get_constraintdef(oid)
            FROM pg_constraint
           WHERE contype = 'c' AND conrelid = 'tickets'::regclass""".query[(String, String)].to[List]

  def warn(): Unit = log.warn("select pg_switch_xlog() was not run today")
}
