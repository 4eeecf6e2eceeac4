<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    /**
     * The evaluations taken over from the regional association call array_accum().
     */
    public function up(): void
    {
        DB::statement("CREATE AGGREGATE array_accum(anyelement) (sfunc = array_append, stype = anyarray, initcond = '{}')");

        DB::statement(<<<'SQL'
            CREATE AGGREGATE tag_union(text[]) (
                sfunc = tags_merge_step, stype = text[], initcond = '{}'
            )
            SQL);
    }

    public function down(): void
    {
        DB::statement('DROP AGGREGATE IF EXISTS tag_union(text[])');
        DB::statement('DROP AGGREGATE IF EXISTS array_accum(anyelement)');
    }
};
