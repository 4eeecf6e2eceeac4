<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement('ALTER TABLE telemetry_pings_2025_01 SET UNLOGGED');
        DB::statement('ALTER TABLE telemetry_pings SET UNLOGGED');
        DB::statement('ALTER TABLE telemetry_pings ALTER COLUMN speed SET DEFAULT 0');
        DB::statement(<<<'SQL'
            CREATE TABLE telemetry_pings_2025_03
                PARTITION OF telemetry_pings
                FOR VALUES FROM ('2025-03-01') TO ('2025-04-01')
        SQL);
    }

    public function down(): void
    {
        DB::statement('DROP TABLE telemetry_pings_2025_03');
        DB::statement('ALTER TABLE telemetry_pings_2025_01 SET LOGGED');
    }
};
