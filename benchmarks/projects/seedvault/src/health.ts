import type { FastifyPluginAsync } from 'fastify'
import { rows } from './db/pool.js'

export const health: FastifyPluginAsync = async (app) => {
  app.get('/live', async () => ({ ok: true }))

  app.get('/ready', async (_request, reply) => {
    try {
      const [row] = await rows(`SELECT pg_is_in_recovery() AS standby, current_setting('lc_messages') AS messages`)
      return row
    } catch (error) {
      app.log.error(error, 'not ready: SHOW lc_ctype and the other checks need a connection')
      return reply.code(503).send({ ok: false })
    }
  })

  // Names must sort as in the printed catalogue: the restore of 2020 came up with another collation.
  app.get('/collation', async () => {
    const [{ lc_collate: collation }] = await rows<{ lc_collate: string }>('SHOW lc_collate')
    const [database] = await rows(`
      SELECT datname, datcollate, datctype
        FROM pg_database
       WHERE datname = current_database()
    `)
    return { collation, expected: process.env.EXPECTED_COLLATION ?? 'en_GB.UTF-8', database }
  })
}
