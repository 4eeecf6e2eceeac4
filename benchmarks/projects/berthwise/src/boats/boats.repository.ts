import { Prisma } from '@prisma/client';
import { prisma } from '../db/prisma';

export interface HullRow {
  id: string;
  name: string;
  engine: string | null;
}

export class BoatsRepository {
  async search(term: string) {
    return prisma.$queryRaw<{ id: string; name: string; owner: string }[]>`
      SELECT id, name, owner
        FROM boat_directory
       WHERE name ILIKE ${'%' + term + '%'} OR registration ILIKE ${term + '%'}
       ORDER BY name COLLATE "C", id
       LIMIT 50
    `;
  }

  async withTags(tags: string[]) {
    return prisma.$queryRaw<{ id: string }[]>`
      SELECT b.id
        FROM boats b
       WHERE array_to_tsvector(b.tags) @@ plainto_tsquery('simple', ${tags.join(' ')})
       ORDER BY b.id
    `;
  }

  async hulls(marinaCode: string): Promise<HullRow[]> {
    return prisma.$queryRaw<HullRow[]>(Prisma.sql`
      SELECT DISTINCT b.id, b.name,
             json_value(b.hull, '$.engines[*].make') AS engine
        FROM boats b
        JOIN bookings k ON k.boat_id = b.id
        JOIN berths t ON t.id = k.berth_id
        JOIN marinas m ON m.id = t.marina_id
       WHERE m.code = ${marinaCode}
       ORDER BY b.name, b.id
    `);
  }

  async deepDraft(minimum: number) {
    return prisma.$queryRaw<{ id: string; draft: string }[]>`
      SELECT b.id, public.json_value(b.hull, '$.draft') AS draft
        FROM boats b
       WHERE (b.hull->>'draft')::float8 >= ${minimum}::float8
       ORDER BY b.id
    `;
  }

  async materials() {
    return prisma.$queryRaw<{ json_value: string; boats: number }[]>`
      WITH json_table AS (
        SELECT b.hull->>'material' AS json_value FROM boats b
      )
      SELECT json_value, count(*)::int AS boats
        FROM json_table
       GROUP BY json_value
       ORDER BY json_value
    `;
  }

  async sailTags() {
    return prisma.$queryRaw<{ name: string; n: bigint }[]>`
      SELECT b.name, regexp_count(b.tags, '^sail') AS n
        FROM boats b
       ORDER BY b.name
    `;
  }
}
