import type { FastifyPluginAsync } from 'fastify'
import { prisma } from '../db/prisma.js'
import { collectedIn, dueForRetest, findByNumberPattern } from './accession.repository.js'
import { searchTaxa } from '../taxonomy/search.js'

export const accessionRoutes: FastifyPluginAsync = async (app) => {
  app.get<{ Querystring: { number?: string; year?: string; taxon?: string } }>('/', async (request) => {
    const { number, year, taxon } = request.query
    if (number) return findByNumberPattern(number)
    if (year) return collectedIn(Number(year))
    if (taxon) return searchTaxa(taxon)
    return prisma.accession.findMany({ take: 50, orderBy: { id: 'desc' }, include: { taxon: true } })
  })

  app.get('/retests', async () => dueForRetest())
}
