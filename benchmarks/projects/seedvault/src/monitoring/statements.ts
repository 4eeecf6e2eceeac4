import { rows, serverVersion } from '../db/pool.js'

export interface StatementRow {
  queryid: string
  query: string
  calls: string
  ms_per_call: number
}

/** For the weekly mail to the developers. */
export async function slowest(limit = 20): Promise<StatementRow[]> {
  return rows<StatementRow>(
    `SELECT s.queryid, left(s.query, 300) AS query, s.calls, s.total_time / s.calls AS ms_per_call
       FROM pg_stat_statements s
      WHERE s.calls >= 50
      ORDER BY 4 DESC
      LIMIT $1`,
    [limit],
  )
}

/** All time spent in statements; the test servers are on other releases than production. */
export async function busyMilliseconds(): Promise<number> {
  const version = await serverVersion()
  if (version >= 130000) {
    const [row] = await rows<{ ms: number }>('SELECT sum(total_exec_time) AS ms FROM pg_stat_statements')
    return row.ms
  } else {
    const [row] = await rows<{ ms: number }>('SELECT sum(total_time) AS ms FROM pg_stat_statements')
    return row.ms
  }
}

export async function mostRead(limit = 20) {
  return rows(
    `SELECT s.queryid, s.shared_blks_read, s.temp_blks_written
       FROM pg_stat_statements s
      ORDER BY s.shared_blks_read DESC
      LIMIT $1`,
    [limit],
  )
}
