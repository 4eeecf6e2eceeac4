<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;

class PatrolSearch
{
    public function containing(string $words): array
    {
        return DB::select(
            "SELECT id, patroller, reported_at, body
               FROM patrol_reports
              WHERE to_tsvector('simple', body) @@ plainto_tsquery('simple', ?)
              ORDER BY reported_at DESC",
            [$words]
        );
    }

    public function without(string $words): array
    {
        return DB::select(
            "SELECT id, patroller, reported_at, body
               FROM patrol_reports
              WHERE to_tsvector('simple', body) @@ (!! plainto_tsquery('simple', ?))
              ORDER BY reported_at DESC",
            [$words]
        );
    }
}
