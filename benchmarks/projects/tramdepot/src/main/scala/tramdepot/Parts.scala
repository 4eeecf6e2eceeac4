package tramdepot

import slick.jdbc.PostgresProfile.api.*

object Parts:
  def stock(depotId: Int) =
    sql"""
      SELECT s.part_no, p.title, s.quantity, coalesce(s.shelf, '-')
        FROM part_stock s
        JOIN parts p ON p.part_no = s.part_no COLLATE part_numbers
       WHERE s.depot_id = $depotId
       ORDER BY p.title
    """.as[(String, String, Int, String)]

  def fits(typeCode: String) =
    sql"""
      SELECT p.part_no, p.title, p.price + p.vat AS gross
        FROM parts p
        JOIN part_fits f ON f.part_no = p.part_no
       WHERE f.type_code = $typeCode
       ORDER BY p.title
    """.as[(String, String, BigDecimal)]

  def take(depotId: Int, partNo: String, n: Int) =
    sqlu"UPDATE part_stock SET quantity = quantity - $n WHERE depot_id = $depotId AND part_no = $partNo AND quantity >= $n"

  val bySupplier =
    sql"""
      SELECT s.name, count(*), sum(p.price)
        FROM parts p
        JOIN suppliers s ON s.id = p.supplier_id
       GROUP BY s.name
       ORDER BY s.name
    """.as[(String, Int, BigDecimal)]

  def priceOn(partNo: String, day: java.sql.Date) =
    sql"""
      SELECT x.price
        FROM part_prices x
       WHERE x.part_no = $partNo AND x.since <= $day
       ORDER BY x.since DESC
       LIMIT 1
    """.as[BigDecimal]
