<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class RouteRepository
{
    public function byThemes(array $themes): array
    {
        $list = '{' . implode(',', array_map(fn ($t) => '"' . addcslashes($t, '"\\') . '"', $themes)) . '}';

        return DB::select(
            'SELECT route_id, code, themes FROM geo.route WHERE themes @> ?::text[] ORDER BY code',
            [$list]
        );
    }

    public function byCode(string $code): ?object
    {
        return DB::table('geo.route')
            ->select(['route_id', 'code', 'line', 'walking_time'])
            ->whereRaw("code ~ '^[A-Z]{2}[0-9]+$'")
            ->where('code', $code)
            ->first();
    }

    public function nearest(float $x, float $y): array
    {
        return DB::select(
            'SELECT place_id, name FROM geo.place ORDER BY position <-> point(?, ?) LIMIT 10',
            [$x, $y]
        );
    }

    /** Regions that hold the middle of a route. */
    public function regionsOf(int $routeId): array
    {
        return DB::select(
            <<<'SQL'
            SELECT r.region_id, r.slug
              FROM geo.region r, geo.route t
             WHERE t.route_id = ?
               AND r.border @> t.waypoints[1]
            SQL,
            [$routeId]
        );
    }
}
