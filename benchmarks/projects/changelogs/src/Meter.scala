package meters
import slick.jdbc.PostgresProfile.api._

object Meter {
  val table = "meter"
  def peak(n: Int) = sql"select id from #$table where watts > $n order by watts desc limit 5offset 1".as[Long]
  def peak2(n: Int) = sql"select id from #$table where watts > $n order by watts desc limit 5 offset 1".as[Long]
  def byRegex = sql"select id from meter where label ~ '[\\d-z]'".as[Long]
  def byRegex2 = sql"select id from meter where label ~ '[0-9a-z-]'".as[Long]
  def cur = sqlu"select pg_stat_reset()"
  def walStat = sql"select wal_write from pg_stat_wal".as[Long]
  def typed = sql"select id from meter where label is of (text)".as[Long]
  def standby = sql"select pg_is_in_recovery()".as[Boolean]
  def started = sql"select pg_backup_start_time()".as[String]
  println("select pg_backup_start_time() was removed")
}
