<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class RentalRepository
{
    public function start(int $bike, int $customer, int $station): void
    {
        DB::insert(<<<'SQL'
            INSERT INTO rentals (bike_id, customer_id, status, started_at, start_station_id)
            VALUES (?, ?, 'open', timestamp '2025-03-01 10:00', ?)
        SQL, [$bike, $customer, $station]);
    }

    public function finish(int $rental, int $station): void
    {
        DB::update(<<<'SQL'
            UPDATE rentals
               SET status = 'closed',
                   ended_at = timestamp '2025-03-01 12:00',
                   end_station_id = :station
             WHERE id = :rental
        SQL, ['station' => $station, 'rental' => $rental]);
    }

    public function durations(): array
    {
        return DB::select(<<<'SQL'
            SELECT rentals.id,
                   EXTRACT(epoch FROM rentals.ended_at - rentals.started_at)::int / 60 AS minutes,
                   EXTRACT(quarter FROM rentals.started_at) AS quarter,
                   rentals.ended_at - rentals.started_at > interval '1 day' AS over_a_day
              FROM rentals
             WHERE rentals.ended_at IS NOT NULL
             ORDER BY rentals.id
        SQL);
    }

    public function longOpen(): array
    {
        return DB::table('rentals')
            ->whereNull('ended_at')
            ->whereRaw("rentals.started_at < timestamp '2025-03-01' + interval '3 days ago'")
            ->orderByRaw('rentals.started_at, rentals.id')
            ->get()
            ->all();
    }

    public function paymentDeadlines(): array
    {
        return DB::select(<<<'SQL'
            SELECT rentals.id,
                   date_add(rentals.ended_at::date, 5) AS due_on,
                   uuidv7(rentals.started_at) AS reference
              FROM rentals
             WHERE rentals.ended_at IS NOT NULL
             ORDER BY rentals.id
        SQL);
    }

    public function unpaid(): array
    {
        return DB::select(<<<'SQL'
            SELECT rentals.id,
                   rentals.price - coalesce(sum(payments.amount), 0) AS missing
              FROM rentals
              LEFT JOIN payments ON payments.rental_id = rentals.id
             WHERE rentals.status = 'closed'
             GROUP BY rentals.id, rentals.price
            HAVING rentals.price > coalesce(sum(payments.amount), 0)
             ORDER BY rentals.id
        SQL);
    }

    public function rentalsPerDay(string $from, string $to): array
    {
        return DB::table('rentals')
            ->selectRaw('rentals.started_at::date AS day, count(*) AS rentals')
            ->whereRaw('rentals.started_at >= ? AND rentals.started_at < ?', [$from, $to])
            ->groupByRaw('rentals.started_at::date')
            ->orderBy('day')
            ->get()
            ->all();
    }
}
