package bets

import java.sql.DriverManager

object LegacyShop {

  def shops(): List[String] = {
    val mysql = DriverManager.getConnection("jdbc:mysql://shops.internal/retail")
    val rows = mysql.createStatement().executeQuery("SELECT `name` FROM `shops` WHERE !`closed`")
    Iterator.continually(rows).takeWhile(_.next()).map(_.getString(1)).toList
  }
}
