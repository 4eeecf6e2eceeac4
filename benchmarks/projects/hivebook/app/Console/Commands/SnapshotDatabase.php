<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;
use Symfony\Component\Process\Process;

class SnapshotDatabase extends Command
{
    protected $signature = 'db:snapshot {volume}';

    public function handle(): int
    {
        $version = (int) DB::selectOne('SHOW server_version_num')->server_version_num;

        if ($version >= 150000) {
            DB::select("SELECT pg_backup_start('hivebook', true)");
        } else {
            DB::select("SELECT pg_start_backup('hivebook', true, false)");
        }

        $process = new Process(['lvcreate', '--snapshot', '--name', 'hivebook', $this->argument('volume')]);
        $process->mustRun();

        if ($version >= 150000) {
            DB::select('SELECT * FROM pg_backup_stop()');
        } else {
            DB::select('SELECT * FROM pg_stop_backup(false)');
        }

        return self::SUCCESS;
    }
}
