<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;
use RuntimeException;

class ServerStatistics
{
    private const WAITING = "
        SELECT wait_event_type, count(*) AS sessions
          FROM pg_stat_activity
         WHERE state = 'active'
           AND wait_event_type IN ('Lock', 'BufferPin', 'IO')
         GROUP BY wait_event_type";

    private const SLOWEST = "
        SELECT queryid, calls, total_exec_time, shared_blks_read,
               blk_read_time + blk_write_time AS io_time
          FROM pg_stat_statements
         ORDER BY total_exec_time DESC
         LIMIT 20";

    public function waiting(): array
    {
        return DB::select(self::WAITING);
    }

    public function slowest(): array
    {
        return DB::select(self::SLOWEST);
    }

    public function background(): object
    {
        return DB::selectOne('SELECT checkpoints_req, buffers_clean, maxwritten_clean FROM pg_stat_bgwriter');
    }

    public function timedCheckpoints(): int
    {
        $version = (int) DB::scalar('SHOW server_version_num');

        if ($version < 170000) {
            return (int) DB::scalar('SELECT checkpoints_timed FROM pg_stat_bgwriter');
        }

        return (int) DB::scalar('SELECT num_timed FROM pg_stat_checkpointer');
    }

    public function wal(): object
    {
        $volume = DB::selectOne('SELECT wal_records, wal_bytes, wal_buffers_full FROM pg_stat_wal');
        $writes = DB::selectOne('SELECT wal_write, stats_reset FROM pg_stat_wal');

        if ($volume === null || $writes === null) {
            throw new RuntimeException('SELECT wal_write, wal_sync FROM pg_stat_wal gave no row');
        }

        return (object) array_merge((array) $volume, (array) $writes);
    }

    public function lastWeek(): array
    {
        return DB::table('db_samples')
            ->selectRaw("date_trunc('day', taken_at) AS day")
            ->selectRaw('max(checkpoints_timed) - min(checkpoints_timed) AS checkpoints')
            ->whereRaw("taken_at > now() - interval '7 days'")
            ->groupByRaw('1')
            ->get()
            ->all();
    }
}
