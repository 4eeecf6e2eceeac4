import { Prisma } from '@prisma/client'
import { prisma } from '../db/prisma.js'

export interface AccessionRow {
  id: number
  accession_no: string
  scientific_name: string
  seed_count: number
}

export async function findByNumberPattern(pattern: string): Promise<AccessionRow[]> {
  return prisma.$queryRaw<AccessionRow[]>`
    SELECT a.id, a.accession_no, t.scientific_name, a.seed_count
      FROM accessions a
      JOIN taxa t ON t.id = a.taxon_id
     WHERE a.accession_no ~ ${pattern}
     ORDER BY a.accession_no
     LIMIT 200
  `
}

export async function withDetail(detail: Prisma.JsonObject): Promise<AccessionRow[]> {
  return prisma.$queryRaw<AccessionRow[]>`
    SELECT a.id, a.accession_no, t.scientific_name, a.seed_count
      FROM accessions a
      JOIN taxa t ON t.id = a.taxon_id
     WHERE a.details @> ${detail}::jsonb
       AND a.grade IN ('1st', '2nd')
  `
}

export async function collectedIn(year: number): Promise<AccessionRow[]> {
  return prisma.$queryRaw<AccessionRow[]>`
    SELECT a.id, a.accession_no, t.scientific_name, a.seed_count
      FROM accessions a
      JOIN taxa t ON t.id = a.taxon_id
     WHERE extract(year FROM a.collected_on)::int = ${year}::int
     ORDER BY a.collected_on, a.accession_no
  `
}

export async function addTag(taxonId: number, tag: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE taxa SET tags = array_append(tags, ${tag}::text)
     WHERE id = ${taxonId} AND NOT tags @> ARRAY[${tag}::text]
  `
}

export async function dueForRetest(): Promise<AccessionRow[]> {
  return prisma.$queryRaw<AccessionRow[]>`
    SELECT a.id, a.accession_no, t.scientific_name, a.seed_count
      FROM accessions a
      JOIN taxa t ON t.id = a.taxon_id
      LEFT JOIN viability_summary v ON v.accession_id = a.id
     WHERE a.status = 'banked'
       AND coalesce(v.finished_at, a.banked_at) < now() - CASE WHEN v.viability < 75 THEN interval '2.5 years' ELSE interval '10 years' END
  `
}
