<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class ApiaryRepository
{
    /** Apiaries whose protected zone has the point. */
    public function around(float $lon, float $lat): array
    {
        return DB::select(<<<'SQL'
            SELECT a.id, a.name
              FROM apiaries a
             WHERE a.zone
                   ~ point(?, ?)
             ORDER BY a.name
        SQL, [$lon, $lat]);
    }

    /** Apiaries that stand outside of their own zone. */
    public function misplaced(): array
    {
        return DB::select(
            'SELECT id, name FROM apiaries WHERE zone IS NOT NULL AND NOT zone @> location ORDER BY id'
        );
    }

    public function ofRegion(string $prefix): array
    {
        return DB::select("SELECT id, name FROM apiaries WHERE postcode ~ ('^' || ?) ORDER BY id", [$prefix]);
    }

    public function ofRace(string $race): array
    {
        return DB::select(<<<'SQL'
            SELECT DISTINCT a.id, a.name
              FROM apiaries a
              JOIN hives h ON h.apiary_id = a.id
             WHERE h.traits @> hstore('race', ?)
             ORDER BY a.id
        SQL, [$race]);
    }

    public function labels(): array
    {
        return DB::select('SELECT apiary_id, label_accum(label ORDER BY label) AS labels FROM hives GROUP BY apiary_id ORDER BY apiary_id');
    }
}
