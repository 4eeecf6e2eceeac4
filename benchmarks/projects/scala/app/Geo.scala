package geo

import doobie._
import doobie.implicits._

object Geo {
  // sql"SELECT id FROM geo WHERE outline ~ at"
  val note = "5 ! means 120"

  def within: Query0[Long] = sql"SELECT id FROM geo WHERE at @ outline".query[Long]

  def contained: Query0[Long] = sql"SELECT id FROM geo WHERE at <@ outline".query[Long]

  def containing: Query0[Long] = sql"SELECT id FROM geo WHERE ring ~ at".query[Long]

  def matching: Query0[Long] = sql"SELECT id FROM geo WHERE name ~ raw".query[Long]

  def same: Query0[Long] = sql"SELECT id FROM geo WHERE bounds ~= bounds".query[Long]

  def boxed: Query0[Long] =
    sql"""
      SELECT id
        FROM geo
       WHERE bounds @ bounds
    """.query[Long]

  def numbers: Query0[BigDecimal] = sql"SELECT to_number(raw, '9,999') FROM geo".query[BigDecimal]

  def plainNumbers: Query0[BigDecimal] = sql"SELECT to_number(raw, '9999') FROM geo".query[BigDecimal]

  def titles: Query0[String] = sql"SELECT xpath('title/text()', doc) FROM geo".query[String]

  def wellFormed: Query0[Boolean] = sql"SELECT xml_is_well_formed(raw) FROM geo".query[Boolean]

  def hyperbolic: Query0[Double] = sql"SELECT sinh(id) FROM geo".query[Double]

  def absolute: Query0[Double] = sql"SELECT abs(id) FROM geo".query[Double]

  def digest: Query0[Array[Byte]] = sql"SELECT sha256(convert_to(name, 'UTF8')) FROM geo".query[Array[Byte]]

  def md5: Query0[String] = sql"SELECT md5(name) FROM geo".query[String]

  def multiple: Query0[Int] = sql"SELECT lcm(4, 6)".query[Int]

  def doubled: Query0[Int] = sql"SELECT twice(4)".query[Int]

  def trimmed: Query0[BigDecimal] = sql"SELECT trim_scale(num) FROM geo".query[BigDecimal]

  def trimmedOurs: Query0[BigDecimal] = sql"SELECT public.trim_scale(num) FROM geo".query[BigDecimal]

  def factorial: Query0[BigDecimal] = sql"SELECT numeric_fac(5)".query[BigDecimal]

  def wordAge(word: String): Query0[Double] = sql"SELECT extract(epoch FROM made) AS age FROM geo WHERE word = $word".query[Double]

  def wordDay(word: String): Query0[Double] = sql"SELECT date_part('day', made) AS d FROM geo WHERE word = $word".query[Double]
}
