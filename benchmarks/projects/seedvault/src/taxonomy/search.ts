import { prisma } from '../db/prisma.js'

export interface TaxonRow {
  id: number
  scientific_name: string
  common_name: string | null
}

function cleaned(input: string): string {
  return input.normalize('NFC').trim()
}

export async function searchTaxa(input: string): Promise<TaxonRow[]> {
  const name = cleaned(input)
  const exact = await prisma.$queryRaw<TaxonRow[]>`
    SELECT t.id, t.scientific_name, t.common_name
      FROM taxa t
     WHERE normalize(t.common_name) = normalize(${name})
     ORDER BY t.scientific_name
  `
  if (exact.length > 0) return exact

  return prisma.$queryRaw<TaxonRow[]>`
    SELECT t.id, t.scientific_name, t.common_name
      FROM taxa t
     WHERE public.normalize(t.scientific_name) LIKE public.normalize(${name}) || '%'
        OR to_tsvector('simple', t.scientific_name) @@ plainto_tsquery('simple', ${name})
     ORDER BY t.scientific_name
     LIMIT 50
  `
}

export async function families(): Promise<{ family: string; taxa: number; example: string | null }[]> {
  return prisma.$queryRaw`
    SELECT t.family, count(*)::int AS taxa, first_known(t.common_name ORDER BY t.id) AS example
      FROM taxa t
     GROUP BY t.family
     ORDER BY t.family
  `
}
