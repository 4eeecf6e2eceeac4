<?php

namespace App\Repositories;

use App\Models\DamageReport;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\DB;

class DamageRepository
{
    private const SEVERE = 2;

    public function flags(): array
    {
        return DB::select(<<<'SQL'
            SELECT damage_reports.id,
                   damage_reports.severity AS respect,
                   damage_reports.muted ignore
              FROM damage_reports
             ORDER BY damage_reports.id
        SQL);
    }

    public function ignored(): array
    {
        return DB::select(<<<'SQL'
            SELECT damage_reports.id,
                   damage_reports.ignore,
                   damage_reports.muted AND damage_reports.severity < 2 AS ignore_safely
              FROM damage_reports
             WHERE damage_reports.ignore OR damage_reports.muted
             ORDER BY damage_reports.id
        SQL);
    }

    public function quiet(): array
    {
        return DB::select('SELECT count(*) AS ignore FROM damage_reports WHERE damage_reports.muted');
    }

    public function withPart(string $part): Collection
    {
        return DamageReport::query()
            ->whereRaw("json_value(damage_reports.details, 'part') = ?", [$part])
            ->orderBy('damage_reports.id')
            ->get();
    }

    public function withLongText(): array
    {
        return DB::select(<<<'SQL'
            SELECT damage_reports.id,
                   "json_value"(damage_reports.details, 'text') AS text
              FROM damage_reports
             WHERE length(public.json_value(damage_reports.details, 'text')) > 3
             ORDER BY damage_reports.id
        SQL);
    }

    public function partCounts(): array
    {
        return DB::select(<<<'SQL'
            SELECT damage_reports.details ->> 'part' AS part,
                   count(*) AS reports,
                   max(damage_reports.severity) AS worst
              FROM damage_reports
             GROUP BY 1
             ORDER BY 1
        SQL);
    }

    public function severe(): array
    {
        return DB::select('SELECT id, part FROM open_damages WHERE severity >= ? ORDER BY id', [self::SEVERE]);
    }
}
