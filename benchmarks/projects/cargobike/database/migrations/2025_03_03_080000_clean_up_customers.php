<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        // phone numbers that came with the spreadsheet import
        DB::statement("UPDATE customers SET phone = regexp_replace(phone, E'\\\\s+', '', 'g') WHERE phone IS NOT NULL");
        DB::statement("UPDATE customers SET member_since = date '2024-12-31' - interval '30 days' WHERE member_since IS NULL");
        DB::statement("UPDATE bikes SET frame_number = 'unknown' WHERE frame_number IS NULL");
    }

    public function down(): void
    {
    }
};
