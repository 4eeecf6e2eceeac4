package bets

import org.scalatest.funsuite.AnyFunSuite

class NumbersSpec extends AnyFunSuite with TestDatabase {

  test("a trixie has three doubles") {
    assert(run(Numbers.combinations(3, 2)) == BigDecimal(3))
  }
}
