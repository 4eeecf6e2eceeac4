<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

class SchemaCheck extends Command
{
    protected $signature = 'db:check';

    protected $description = 'Looks for tables without owner, keys and the like';

    public function handle(): int
    {
        $kinds = DB::select(<<<'SQL'
            SELECT c.relname,
                   CASE WHEN c.relkind = 'm' THEN 'materialized' ELSE c.relkind::text END AS kind
              FROM pg_class c
             WHERE c.relnamespace = 'public'::regnamespace
               AND c.relkind IN ('m', 'v')
             ORDER BY c.relname
        SQL);
        $keys = DB::select(<<<'SQL'
            SELECT conrelid::regclass::text AS table_name, count(*) AS foreign_keys
              FROM pg_constraint
             WHERE contype = 'f'
               AND connamespace = 'public'::regnamespace
             GROUP BY 1
             ORDER BY 1
        SQL);
        $locale = DB::selectOne('SELECT datcollate AS lc_collate FROM pg_database WHERE datname = current_database()');
        $exists = DB::selectOne("SELECT to_regclass('public.promo_codes') IS NOT NULL AS found")->found;

        $this->table(['relation', 'kind'], array_map(fn ($row) => (array) $row, $kinds));
        $this->line(count($keys) . " tables with keys, {$locale->lc_collate}, promo codes: " . ($exists ? 'yes' : 'no'));

        return self::SUCCESS;
    }
}
