<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class HarvestRepository
{
    public function byMonth(int $apiary): array
    {
        return DB::select("
            SELECT date_part('month', v.harvested_on) AS month, sum(v.kilos) AS kilos
              FROM harvests v
              JOIN hives h ON h.id = v.hive_id
             WHERE h.apiary_id = ?
             GROUP BY 1
             ORDER BY 1
        ", [$apiary]);
    }

    public function years(): array
    {
        return DB::select('
            SELECT DISTINCT extract(year FROM harvested_on)::int AS y
              FROM harvests
             ORDER BY y
        ');
    }

    /** Yield model: expected number of supers, from the poisson distribution. */
    public function model(): array
    {
        return DB::select("SELECT key, factorial(5) AS ways, factorial FROM site_settings WHERE key = 'yield_model'");
    }

    public function safeToHarvest(): array
    {
        return DB::select("
            SELECT hive_id, (started_on + waiting)::date AS free_from, waiting::text AS waiting
              FROM treatments
             WHERE started_on + waiting + interval '1.5 years' > DATE '2023-01-01'
             ORDER BY hive_id
        ");
    }
}
