<?php

namespace App\Console\Commands;

use App\Services\ServerStatistics;
use Illuminate\Console\Command;

class DatabaseReport extends Command
{
    protected $signature = 'db:report';

    protected $description = 'Print statistics of the database server';

    public function handle(ServerStatistics $statistics): int
    {
        foreach ($statistics->slowest() as $row) {
            $this->line(sprintf('%20s %8d %12.1f', $row->queryid, $row->calls, $row->total_exec_time));
        }
        foreach ($statistics->waiting() as $row) {
            $this->line("{$row->wait_event_type}: {$row->sessions}");
        }
        $this->info('timed checkpoints: ' . $statistics->timedCheckpoints());

        return self::SUCCESS;
    }
}
