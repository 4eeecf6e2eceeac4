import pg from 'pg'

// Reports and monitoring go past Prisma: other timeouts, and a role that only reads.
export const pool = new pg.Pool({
  connectionString: process.env.REPORTING_DATABASE_URL,
  max: 4,
  statement_timeout: 60_000,
  application_name: 'seedvault-reports',
})

export async function rows<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const result = await pool.query<T>(text, values)
  return result.rows
}

export async function serverVersion(): Promise<number> {
  const [{ version }] = await rows<{ version: number }>(`SELECT current_setting('server_version_num')::int AS version`)
  return version
}
