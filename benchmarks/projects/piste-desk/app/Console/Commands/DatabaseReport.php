<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

/**
 * The figures that the weekly mail to the IT group shows.
 */
class DatabaseReport extends Command
{
    protected $signature = 'db:report {--top=20}';

    protected $description = 'Slow statements, checkpoints, statistics targets';

    public function handle(): int
    {
        $this->slowStatements((int) $this->option('top'));
        $this->checkpoints();
        $this->buffers();
        $this->targets();

        return self::SUCCESS;
    }

    private function slowStatements(int $top): void
    {
        $rows = DB::select(
            'SELECT left(query, 80) AS query, calls, total_exec_time,
                    blk_read_time
               FROM pg_stat_statements
              ORDER BY total_exec_time DESC
              LIMIT ?',
            [$top]
        );
        $this->table(['query', 'calls', 'ms', 'reading'], array_map(fn ($row) => (array) $row, $rows));
    }

    private function checkpoints(): void
    {
        $version = (int) DB::selectOne("SELECT current_setting('server_version_num') AS v")->v;

        if ($version >= 170000) {
            $row = DB::selectOne('SELECT num_timed AS timed, num_requested AS requested FROM pg_stat_checkpointer');
        } else {
            $row = DB::selectOne('SELECT checkpoints_timed AS timed, checkpoints_req AS requested FROM pg_stat_bgwriter');
        }
        $this->line("checkpoints: {$row->timed} timed, {$row->requested} requested");
    }

    private function buffers(): void
    {
        $row = DB::selectOne('SELECT buffers_alloc, buffers_clean, maxwritten_clean FROM pg_stat_bgwriter');
        $this->line("buffers: {$row->buffers_alloc} allocated, {$row->buffers_clean} cleaned");
    }

    private function targets(): void
    {
        // only columns for which somebody has set a target
        $rows = DB::select(
            'SELECT attrelid::regclass::text AS relation, attname, attstattarget
               FROM pg_attribute
              WHERE attstattarget > 0 AND NOT attisdropped
              ORDER BY 1, 2'
        );
        foreach ($rows as $row) {
            $this->line("{$row->relation}.{$row->attname}: {$row->attstattarget}");
        }
    }
}
