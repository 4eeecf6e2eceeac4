import { rows } from '../db/pool.js'

export interface SpeedRow {
  accession_no: string
  medium: string
  days: number
}

/** How long each test took. The chart needs numbers, and sorts by them. */
export async function speeds(family: string): Promise<SpeedRow[]> {
  const found = await rows<SpeedRow>(
    `SELECT a.accession_no,
            g.medium,
            extract(epoch FROM g.finished_at - g.sown_at) / 86400 AS days
       FROM germination_tests g
       JOIN accessions a ON a.id = g.accession_id
       JOIN taxa t ON t.id = a.taxon_id
      WHERE t.family = $1
        AND g.finished_at IS NOT NULL`,
    [family],
  )
  return found.sort((left, right) => left.days - right.days)
}

export async function averages(): Promise<{ medium: string; tests: number; hours: number; weeks: number }[]> {
  return rows(`
    SELECT g.medium,
           count(*)::int AS tests,
           avg(g.total_time)::float8 AS hours,
           avg(extract(epoch FROM g.finished_at - g.sown_at)::float8 / 604800) AS weeks
      FROM germination_tests g
     WHERE g.finished_at IS NOT NULL
     GROUP BY g.medium
     ORDER BY 2 DESC
  `)
}

export async function testsByMonth(year: number): Promise<{ month: number; tests: number }[]> {
  return rows(
    `SELECT date_part('month', g.sown_at) AS month, count(*)::int AS tests
       FROM germination_tests g
      WHERE g.sown_at >= make_date($1, 1, 1) AND g.sown_at < make_date($1 + 1, 1, 1)
      GROUP BY 1
      ORDER BY 1`,
    [year],
  )
}
