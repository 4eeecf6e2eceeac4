<?php

namespace App\Jobs;

use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Support\Facades\DB;

class PruneAuditEntries implements ShouldQueue
{
    public function handle(): void
    {
        DB::statement('SET max_parallel_workers_per_gather = 0');
        DB::delete('DELETE FROM audit_entries WHERE id < (SELECT max(id) - 100000 FROM audit_entries)');
        DB::statement('RESET max_parallel_workers_per_gather');
    }
}
