package bets

import slick.jdbc.PostgresProfile.api._

class Accounts(db: Database) {

  def withdraw(id: Long, amount: BigDecimal) = db.run(
    sqlu"""UPDATE accounts
              SET (balance) = (balance - $amount)
            WHERE id = $id AND balance >= $amount"""
  )

  def grantBonus(id: Long, amount: BigDecimal) = db.run(
    sqlu"""UPDATE accounts
              SET (balance, bonus) = (balance + $amount, bonus + $amount)
            WHERE id = $id"""
  )

  def byEmail(email: String) = db.run(
    sql"SELECT id, balance FROM accounts WHERE lower(email) = lower($email)".as[(Long, BigDecimal)].headOption
  )
}
