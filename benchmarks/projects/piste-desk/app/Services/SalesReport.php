<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;

class SalesReport
{
    /** Sales of a day, by product. */
    public function day(string $day): array
    {
        return DB::transaction(function () use ($day) {
            DB::select('SELECT daily_sales(?)', [$day]);

            return DB::select('FETCH ALL IN "sales_cur"');
        });
    }

    public function queue(string $day): array
    {
        return DB::transaction(function () use ($day) {
            DB::select('SELECT valley_queue(?)', [$day]);

            return DB::select('FETCH ALL IN "queue_cur"');
        });
    }

    public function months(): array
    {
        return DB::select('SELECT month, sum(passes) AS passes, sum(revenue_cents) AS cents FROM season_revenue GROUP BY month ORDER BY month');
    }

    /** All passes of a season, in portions, for the tax consultant's file. */
    public function export(string $from, callable $write): void
    {
        DB::transaction(function () use ($from, $write) {
            DB::statement("DECLARE pass_cur NO SCROLL CURSOR FOR SELECT serial, sold_at, price_cents FROM passes WHERE sold_at >= now() - interval '1 year' ORDER BY id");
            do {
                $rows = DB::select('FETCH 1000 FROM pass_cur');
                $write($rows);
            } while ($rows !== []);
            DB::statement('CLOSE pass_cur');
        });
    }
}
