<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class TelemetryRepository
{
    public function lastPings(): array
    {
        return DB::select(<<<'SQL'
            SELECT DISTINCT ON (telemetry_pings.bike_id)
                   telemetry_pings.bike_id, telemetry_pings.sent_at, telemetry_pings.charge
              FROM telemetry_pings
             ORDER BY telemetry_pings.bike_id, telemetry_pings.sent_at DESC
        SQL);
    }

    public function chargePerBike(): array
    {
        $sql = 'SELECT telemetry_pings.bike_id, min(telemetry_pings.charge) AS lowest'
            . ' FROM telemetry_pings'
            . ' WHERE telemetry_pings.charge IS NOT NULL'
            . ' GROUP BY telemetry_pings.bike_id'
            . ' ORDER BY telemetry_pings.bike_id';

        return DB::select($sql);
    }

    public function batteriesToSwap(): array
    {
        return DB::select('SELECT serial, charge FROM batteries WHERE charge < ? ORDER BY charge', [40]);
    }
}
