<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class InspectionRepository
{
    private const PAGE = <<<'SQL'
        SELECT i.id, i.inspected_at, h.label, i.mites
          FROM inspections i
          JOIN hives h ON h.id = i.hive_id
         WHERE i.hive_id = ?
         ORDER BY i.inspected_at DESC
         LIMIT 50 OFFSET ?
    SQL;

    public function page(int $hive, int $page = 0): array
    {
        return DB::select(self::PAGE, [$hive, 50 * $page]);
    }

    /** Inspections with a mite count, for the report to the veterinary office. */
    public function counted(): array
    {
        return DB::select("
            SELECT id, inspected_at
              FROM inspections
             WHERE search @@ to_tsquery('simple', 'varroa_count')
             ORDER BY id
        ");
    }

    public function moved(): array
    {
        return DB::select("
            SELECT id, inspected_at
              FROM inspections
             WHERE search @@ to_tsquery('simple', 'brood <-> frame & moved')
             ORDER BY id
        ");
    }

    public function mentioning(string $words): array
    {
        return DB::select("
            SELECT id
              FROM inspections
             WHERE search @@ plainto_tsquery('simple', 'varroa_count')
               AND notes ~* ?
             ORDER BY id
        ", [$words]);
    }

    public function severe(int $limit): array
    {
        $sql = 'SELECT i.id, h.label, i.mites FROM inspections i JOIN hives h ON h.id = i.hive_id'
            . ' WHERE i.mites >= 15AND h.frames > 8'
            . ' ORDER BY i.mites DESC LIMIT ' . (int) $limit;

        return DB::select($sql);
    }

    public function heavyFrames(): array
    {
        return DB::select("SELECT id, label FROM hives WHERE label <> '7b' AND frames > 10");
    }
}
