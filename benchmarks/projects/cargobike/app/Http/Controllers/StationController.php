<?php

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Support\Facades\DB;

class StationController extends Controller
{
    public function index(): JsonResponse
    {
        $stations = DB::select(<<<'SQL'
            SELECT stations.id,
                   stations.code,
                   stations.name,
                   stations.docks - count(bikes.id) AS free_docks,
                   json_agg(bikes.code ORDER BY bikes.code) FILTER (WHERE bikes.id IS NOT NULL) AS bikes
              FROM stations
              LEFT JOIN bikes ON bikes.station_id = stations.id
             GROUP BY stations.id, stations.code, stations.name, stations.docks
             ORDER BY stations.id
        SQL);

        return response()->json($stations);
    }

    public function district(string $district): JsonResponse
    {
        $stations = DB::table('stations')
            ->whereRaw('lower(stations.district) = lower(?)', [$district])
            ->orderByRaw('stations.opened_on NULLS LAST')
            ->get();

        return response()->json($stations);
    }
}
