import { prisma } from '../db/prisma.js'

interface Line {
  accessionId: number
  seeds: number
}

export async function placeRequest(accountId: number, purpose: string, lines: Line[]) {
  return prisma.$transaction(async (tx) => {
    const request = await tx.request.create({ data: { accountId, purpose } })
    await tx.requestLine.createMany({
      data: lines.map(({ accessionId, seeds }) => ({ requestId: request.id, accessionId, seeds })),
    })
    return request
  })
}

export async function openRequests() {
  return prisma.$queryRaw<{ id: number; email: string; lines: unknown }[]>`
    SELECT r.id, c.email,
           json_agg(json_build_object('accession', a.accession_no, 'seeds', l.seeds)) AS lines
      FROM requests r
      JOIN accounts c ON c.id = r.account_id
      JOIN request_lines l ON l.request_id = r.id
      JOIN accessions a ON a.id = l.accession_id
     WHERE r.shipped_at IS NULL
       AND NOT c."system_user"
     GROUP BY r.id, c.email
     ORDER BY r.id
  `
}
