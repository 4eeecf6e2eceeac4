<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class DatabaseReport extends Command
{
    protected $signature = 'db:report {--ssl}';

    protected $description = 'Prints what support asks for';

    public function handle(): int
    {
        $row = DB::selectOne("
            SELECT current_setting('server_encoding') AS encoding,
                   current_setting('lc_messages') AS messages,
                   current_setting('TimeZone') AS zone
        ");
        $this->table(['encoding', 'messages', 'zone'], [(array) $row]);

        $collation = DB::selectOne('SHOW lc_collate');
        $this->line('sorted by ' . $collation->lc_collate);

        $database = DB::selectOne('SELECT datcollate, datctype FROM pg_database WHERE datname = current_database()');
        $this->line("created with {$database->datcollate}, {$database->datctype}");

        $site = DB::selectOne("SELECT value FROM site_settings WHERE key = 'lc_collate'");
        $this->line('site: ' . ($site->value ?? 'unset'));

        foreach (DB::select('SELECT name FROM empty_tables() AS t(name)') as $table) {
            $this->warn("{$table->name} is empty");
        }

        foreach (DB::select("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= 100000 ORDER BY 1") as $big) {
            $this->line("{$big->relname} is large");
        }

        if ($this->option('ssl')) {
            $ssl = DB::selectOne('SELECT ssl, version, cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
            $this->line(json_encode($ssl));
        }

        $up = DB::selectOne("SELECT date_trunc('minute', pg_postmaster_start_time()) <= now() AS ok");

        return $up->ok ? self::SUCCESS : self::FAILURE;
    }
}
