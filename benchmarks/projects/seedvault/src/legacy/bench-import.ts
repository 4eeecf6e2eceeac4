import Database from 'better-sqlite3'
import { prisma } from '../db/prisma.js'

interface BenchRow {
  accession: string
  total_time: number
  result: string
}

/**
 * The germination benches keep their own SQLite file, which is copied here each night.
 */
export async function importBench(file: string): Promise<number> {
  const bench = new Database(file, { readonly: true })
  const tests = bench
    .prepare(
      `SELECT accession, total_time, json_object('sown', sown, 'germinated', germinated) AS result FROM tests WHERE synced = 0`,
    )
    .all() as BenchRow[]

  for (const test of tests) {
    const accession = await prisma.accession.findUnique({ where: { accessionNo: test.accession } })
    if (!accession) continue
    const { sown, germinated } = JSON.parse(test.result)
    await prisma.germinationTest.create({
      data: {
        accessionId: accession.id,
        sownAt: new Date(Date.now() - test.total_time * 3_600_000),
        finishedAt: new Date(),
        totalTime: test.total_time,
        sown,
        germinated,
      },
    })
  }
  bench.close()
  return tests.length
}
