<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement("CREATE INDEX patrol_reports_search ON patrol_reports USING gin (to_tsvector('simple', body))");
        DB::statement('CREATE INDEX guests_last_name_trgm ON guests USING gin (last_name gin_trgm_ops)');
    }

    public function down(): void
    {
        DB::statement('DROP INDEX IF EXISTS patrol_reports_search');
        DB::statement('DROP INDEX IF EXISTS guests_last_name_trgm');
    }
};
