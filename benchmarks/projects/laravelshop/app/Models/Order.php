<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Facades\DB;

class Order extends Model
{
    protected $casts = ['meta' => 'array'];

    public static function revenueByMonth(int $year): array
    {
        return DB::select(
            'SELECT extract(month FROM placed_at) AS month, sum(total) AS revenue
               FROM orders
              WHERE placed_at >= make_date(?, 1, 1)
              GROUP BY 1
              ORDER BY 1',
            [$year],
        );
    }

    public static function campaigns()
    {
        return static::query()
            ->select(DB::raw("meta ->> 'campaign' AS campaign"), DB::raw('count(*) AS orders'))
            ->groupBy('campaign')
            ->get();
    }
}
