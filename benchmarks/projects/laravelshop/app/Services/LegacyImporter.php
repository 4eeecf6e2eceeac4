<?php

namespace App\Services;

use Illuminate\Support\Facades\DB;

class LegacyImporter
{
    public function coupons(): array
    {
        return DB::connection('legacy_mysql')->select(
            "SELECT id, JSON_VALUE(payload, '$.code') AS code FROM coupons WHERE active = 1"
        );
    }
}
