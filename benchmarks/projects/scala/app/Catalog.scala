package geo

import slick.jdbc.PostgresProfile.api._

object Catalog {
  val constraints = sql"SELECT conname, consrc FROM pg_constraint".as[(String, String)]
  val definitions = sql"SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'".as[(String, String)]
  val ours = sql"SELECT name, consrc FROM geo".as[(String, String)]
  val extended = sql"SELECT stxndistinct FROM pg_statistic_ext".as[String]
  val aggregates = sql"SELECT proname FROM pg_proc WHERE proiswindow".as[String]
  val strict = sql"SELECT proname FROM pg_proc WHERE proretset".as[String]
  val everything = sql"SELECT * FROM pg_roles, pg_proc WHERE false".as[String]
  val fillfactor = sqlu"""ALTER TABLE geo SET ("FillFactor" = 80)"""
  val fill = sqlu"""ALTER TABLE geo SET ("fillfactor" = 80)"""
  val vacuum = sqlu"VACUUM (VERBOSE) geo (name)"
  val analyzed = sqlu"VACUUM ANALYZE geo (name)"
  val typed = sql"SELECT id FROM geo WHERE num IS OF (numeric)".as[Long]
  val warn = sqlu"SET operator_precedence_warning TO on"
  val shared = sqlu"SET dynamic_library_path TO DEFAULT"
}
