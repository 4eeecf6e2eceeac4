<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

class AddJsonArrayFunction extends Migration
{
    public function up()
    {
        DB::unprepared(<<<'SQL'
            CREATE OR REPLACE FUNCTION
                json_array(list text) RETURNS jsonb
            LANGUAGE sql IMMUTABLE AS $$
                SELECT coalesce(jsonb_agg(btrim(part)), '[]') FROM unnest(string_to_array(list, ',')) AS part
            $$
        SQL);

        DB::unprepared(<<<'SQL'
            CREATE OR REPLACE FUNCTION plain_phone(phone text) RETURNS text
            LANGUAGE sql IMMUTABLE AS $$
                SELECT regexp_replace(phone, '\D', '', 'g')
            $$
        SQL);
    }

    public function down()
    {
        DB::statement('DROP FUNCTION IF EXISTS public.json_array(text)');
        DB::statement('DROP FUNCTION IF EXISTS plain_phone(text)');
    }
}
