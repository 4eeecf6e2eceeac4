<?php

namespace App\Services;

use Illuminate\Support\Collection;
use Illuminate\Support\Facades\DB;

class GateStatistics
{
    /** Scans of a day by hour, for the chart on the screen in the valley station. */
    public function byHour(int $lift, string $day): Collection
    {
        return DB::table('gate_scans')
            ->selectRaw('extract(hour FROM scanned_at)::int AS hour, count(*) AS scans')
            ->where('lift_id', $lift)
            ->whereDate('scanned_at', $day)
            ->groupByRaw('1')
            ->orderByRaw('1')
            ->get();
    }

    /** Which gates read how many passes: the firmware says who it is in its payload. */
    public function byTerminal(string $since): array
    {
        return DB::select(
            "SELECT json_value(payload, 'terminal') AS terminal, count(*) AS scans
               FROM gate_scans
              WHERE scanned_at >= ?
              GROUP BY 1
              ORDER BY 2 DESC",
            [$since]
        );
    }

    public function byFirmware(): array
    {
        return DB::select(
            "SELECT public.json_value(payload, 'firmware') AS firmware, max(scanned_at) AS seen
               FROM gate_scans
              GROUP BY 1"
        );
    }

    /** Minutes between two scans of the same pass. */
    public function pauses(int $pass): array
    {
        return DB::select(
            "SELECT scanned_at,
                    date_part('epoch', scanned_at - lag(scanned_at) OVER (ORDER BY scanned_at)) / 60 AS minutes
               FROM gate_scans
              WHERE pass_id = ?
              ORDER BY scanned_at",
            [$pass]
        );
    }
}
