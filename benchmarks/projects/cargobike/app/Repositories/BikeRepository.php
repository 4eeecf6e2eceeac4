<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class BikeRepository
{
    public function stickers(): array
    {
        return DB::select(<<<'SQL'
            SELECT bikes.id,
                   bikes.code,
                   crc32(bikes.code::text) AS checksum,
                   reverse(bikes.code) AS back_side
              FROM bikes
             ORDER BY bikes.id
        SQL);
    }

    public function byCode(string $code): ?object
    {
        return DB::selectOne('SELECT bikes.* FROM bikes WHERE normal_code(bikes.code) = normal_code(?)', [$code]);
    }

    public function nearest(float $x, float $y): array
    {
        return DB::select(<<<'SQL'
            SELECT bikes.id, stations.code, round((stations.location <-> point(?, ?))::numeric, 3) AS distance
              FROM bikes
              JOIN stations ON stations.id = bikes.station_id
             WHERE bikes.status = 'free'
             ORDER BY 3, bikes.id
        SQL, [$x, $y]);
    }

    public function modems(string $network): array
    {
        return DB::select(<<<'SQL'
            SELECT lock_modules.bike_id, host(lock_modules.modem_ip) AS modem
              FROM lock_modules
             WHERE lock_modules.modem_ip << ?::inet
               AND upper_inf(lock_modules.used_during)
             ORDER BY lock_modules.bike_id
        SQL, [$network]);
    }

    public function withTrailer(): array
    {
        return DB::table('bikes')
            ->whereRaw("(bikes.attributes ->> 'trailer')::boolean")
            ->orderBy('bikes.id')
            ->pluck('id')
            ->all();
    }

    public function finishJob(int $job): void
    {
        DB::update("UPDATE maintenance_jobs SET done_on = date '2025-03-02', minutes = 30 WHERE id = ?", [$job]);
    }
}
