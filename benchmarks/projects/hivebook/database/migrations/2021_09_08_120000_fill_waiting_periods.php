<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement(<<<'SQL'
            UPDATE treatments
               SET waiting = interval '0.5 years'
             WHERE substance !~ '^(formic|oxalic|lactic)'
        SQL);

        DB::statement("UPDATE hives SET tags = array_append(tags, 'legacy') WHERE queen_year < 2015");
    }

    public function down(): void
    {
    }
};
