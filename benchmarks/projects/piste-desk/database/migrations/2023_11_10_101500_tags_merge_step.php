<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::unprepared(<<<'SQL'
            CREATE OR REPLACE FUNCTION tags_merge_step(seen text[], more text[]) RETURNS text[]
                LANGUAGE sql IMMUTABLE
                AS $fn$ SELECT array_cat(seen, more) $fn$;
            SQL);
    }

    public function down(): void
    {
        DB::unprepared('DROP FUNCTION IF EXISTS tags_merge_step(text[], text[])');
    }
};
