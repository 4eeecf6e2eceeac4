import Fastify from 'fastify'
import { health } from './health.js'
import { accessionRoutes } from './accessions/accession.routes.js'
import { prisma } from './db/prisma.js'
import { pool } from './db/pool.js'

const app = Fastify({ logger: true })

app.register(health, { prefix: '/health' })
app.register(accessionRoutes, { prefix: '/accessions' })

app.addHook('onClose', async () => {
  await prisma.$disconnect()
  await pool.end()
})

app.listen({ host: '0.0.0.0', port: Number(process.env.PORT ?? 3000) })
