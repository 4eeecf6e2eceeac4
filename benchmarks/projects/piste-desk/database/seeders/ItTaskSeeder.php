<?php

namespace Database\Seeders;

use Illuminate\Database\Seeder;
use Illuminate\Support\Facades\DB;

class ItTaskSeeder extends Seeder
{
    public function run(): void
    {
        DB::insert(
            'INSERT INTO it_tasks (title, body) VALUES (?, ?)',
            ['Renew the certificates of the gates', 'Each gate has its own, see the wiki']
        );
        DB::statement("INSERT INTO it_tasks (title) VALUES ('Ask the hoster whether old_snapshot_threshold is set')");
        DB::statement("INSERT INTO it_tasks (title) VALUES ('Runbook: replace pg_start_backup() by pg_basebackup')");
    }
}
