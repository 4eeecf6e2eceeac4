package bets

import cats.effect.IO
import cats.effect.unsafe.implicits.global
import doobie._
import doobie.implicits._

trait TestDatabase {

  private val transactor = Transactor.fromDriverManager[IO](
    "org.postgresql.Driver", "jdbc:postgresql:bets_test", "bets", "")

  def run[A](program: ConnectionIO[A]): A = program.transact(transactor).unsafeRunSync()
}
