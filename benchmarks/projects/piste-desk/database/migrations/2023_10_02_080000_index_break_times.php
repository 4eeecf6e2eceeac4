<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        // the payroll export looks shifts up by the text of the break, e.g. 00:30:00
        DB::statement('CREATE INDEX groomer_shifts_break ON groomer_shifts ((break_time::text))');

        // lessons are sorted by length in the planner
        DB::statement("CREATE INDEX lessons_duration ON lessons (date_part('epoch', duration))");
    }

    public function down(): void
    {
        DB::statement('DROP INDEX IF EXISTS groomer_shifts_break');
        DB::statement('DROP INDEX IF EXISTS lessons_duration');
    }
};
