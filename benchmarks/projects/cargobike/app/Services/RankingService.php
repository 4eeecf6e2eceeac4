<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;

class RankingService
{
    public function customers(): array
    {
        return DB::select('SELECT title, spent FROM customer_ranking ORDER BY customer_id');
    }

    public function models(): array
    {
        return DB::select('SELECT title, rentals FROM model_ranking ORDER BY model_id');
    }

    public function refresh(): void
    {
        DB::statement('REFRESH MATERIALIZED VIEW model_ranking');
        DB::statement('REFRESH MATERIALIZED VIEW customer_ranking');
    }
}
