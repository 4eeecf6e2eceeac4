<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class LiftHours extends Command
{
    protected $signature = 'lifts:hours {day}';

    protected $description = 'Operating hours of the lifts, by first and last scan';

    public function handle(): int
    {
        foreach (DB::select('SELECT lift, scans, seconds FROM lift_hours(?)', [$this->argument('day')]) as $row) {
            $this->line(sprintf('%-10s %6d scans  %5.1f h', $row->lift, $row->scans, $row->seconds / 3600));
        }

        return self::SUCCESS;
    }
}
