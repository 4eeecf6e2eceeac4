<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class NightlyMaintenance extends Command
{
    protected $signature = 'db:nightly';

    protected $description = 'Refreshes the evaluations, removes old scans, rebuilds the index of the gates';

    public function handle(): int
    {
        // Until 2023 this stopped when pg_is_in_backup() was true; bin/backup.sh now looks after that.
        DB::statement('REFRESH MATERIALIZED VIEW season_revenue');

        $removed = DB::delete("DELETE FROM gate_scans WHERE scanned_at < now() - interval '3 years'");
        $this->info("$removed scans removed");

        DB::statement('REINDEX INDEX CONCURRENTLY gate_scans_lift');
        DB::statement('ANALYZE gate_scans');

        $locale = DB::selectOne("SELECT current_setting('lc_monetary') AS money, datcollate FROM pg_database WHERE datname = current_database()");
        $this->line("{$locale->money} {$locale->datcollate}");

        return self::SUCCESS;
    }
}
