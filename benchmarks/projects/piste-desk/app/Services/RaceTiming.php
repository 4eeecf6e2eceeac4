<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;

class RaceTiming
{
    /** Runs in which a light barrier failed. */
    public function incomplete(string $race, int $gates): array
    {
        return DB::select(
            'SELECT bib, checkpoints_timed FROM race_runs WHERE race = ? AND checkpoints_timed < ? ORDER BY bib',
            [$race, $gates]
        );
    }

    public function passed(int $run): void
    {
        DB::table('race_runs')->where('id', $run)->increment('checkpoints_timed');
    }
}
