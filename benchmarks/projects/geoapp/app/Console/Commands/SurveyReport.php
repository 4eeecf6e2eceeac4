<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class SurveyReport extends Command
{
    protected $signature = 'geo:surveys {--since=2020-01-01}';

    public function handle(): int
    {
        $perHour = DB::table('geo.survey')
            ->selectRaw('extract(hour FROM surveyed_on) AS hour, count(*) AS visits')
            ->where('surveyed_on', '>=', $this->option('since'))
            ->groupByRaw('1')
            ->get();

        $arrivals = DB::select(
            'SELECT surveyor, date_part(\'minute\', arrived_at) AS minute FROM geo.survey WHERE surveyed_on >= ?',
            [$this->option('since')]
        );

        $stays = DB::select(
            'SELECT place_id, geo.total_stay(stay) AS total FROM geo.survey GROUP BY place_id HAVING count(*) > 3'
        );

        $this->info(count($perHour) . ' hours, ' . count($arrivals) . ' arrivals, ' . count($stays) . ' places');

        return self::SUCCESS;
    }
}
