<?php

namespace App\Console\Commands;

use App\Models\Pass;
use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class ImportOldTickets extends Command
{
    protected $signature = 'tickets:import-old {--since=2015-12-01}';

    protected $description = 'Takes season passes over from the till system of before 2019 (MySQL)';

    public function handle(): int
    {
        $old = DB::connection('ticketing_old')->select(
            "SELECT id, JSON_VALUE(meta, '$.serial') AS serial, DATE(sold) AS sold FROM tickets WHERE sold >= ?",
            [$this->option('since')]
        );

        foreach ($old as $ticket) {
            Pass::query()->firstOrCreate(['serial' => $ticket->serial], ['sold_at' => $ticket->sold]);
        }

        $this->info(count($old) . ' tickets');

        return self::SUCCESS;
    }
}
