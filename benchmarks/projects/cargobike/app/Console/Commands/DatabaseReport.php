<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class DatabaseReport extends Command
{
    protected $signature = 'db:report {--snapshots}';

    protected $description = 'Prints what the monitoring page shows of the database';

    public function handle(): int
    {
        $version = (int) DB::selectOne('SHOW server_version_num')->server_version_num;

        $wal = DB::selectOne(<<<'SQL'
            SELECT pg_stat_wal.wal_records,
                   pg_stat_wal.wal_bytes,
                   pg_stat_wal.wal_sync_time
              FROM pg_stat_wal
        SQL);
        $this->line("WAL: {$wal->wal_records} records, {$wal->wal_bytes} bytes, {$wal->wal_sync_time} ms");

        $buffers = DB::selectOne('SELECT buffers_clean, maxwritten_clean, buffers_alloc FROM pg_stat_bgwriter');
        $this->line("Buffers: {$buffers->buffers_alloc} allocated, {$buffers->buffers_clean} cleaned");

        if ($version < 170000) {
            $checkpoints = DB::selectOne('SELECT checkpoints_timed FROM pg_stat_bgwriter')->checkpoints_timed;
            $this->line("Checkpoints: {$checkpoints}");
        }

        $waiting = DB::selectOne(<<<'SQL'
            SELECT count(*) AS sessions
              FROM pg_stat_activity
             WHERE backend_type = 'client backend'
               AND wait_event_type = 'Lock'
        SQL);
        $this->line("Waiting for locks: {$waiting->sessions}");

        if ($this->option('snapshots')) {
            $this->snapshots();
        }
        $this->info('buffers_backend and checkpoints_req of pg_stat_bgwriter are on the page of the hosting team');

        return self::SUCCESS;
    }

    private function snapshots(): void
    {
        $rows = DB::select(<<<'SQL'
            SELECT db_snapshots.taken_at,
                   db_snapshots.checkpoints_timed,
                   db_snapshots.buffers_backend,
                   db_snapshots.wal_sync_time,
                   db_snapshots.buffers_backend * db_snapshots.op_bytes AS bytes
              FROM db_snapshots
             ORDER BY db_snapshots.id
        SQL);
        foreach ($rows as $row) {
            $this->line("{$row->taken_at} {$row->checkpoints_timed} {$row->wal_sync_time} {$row->bytes}");
        }
    }
}
