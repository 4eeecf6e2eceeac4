<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up()
    {
        // DB::statement('SELECT blk_read_time FROM pg_stat_statements');
        DB::statement('CREATE INDEX users_bill ON users ((bill::text))');
        DB::statement('CREATE TABLE words (at interval, PRIMARY KEY (at))');
        DB::unprepared('CREATE INDEX jobs_since ON jobs (((at - timestamp \'2000-01-01\')::text))');
        DB::statement('CREATE VIEW joined_days AS SELECT id, date_trunc(\'day\', joined) AS d FROM users');
        DB::statement('CREATE FUNCTION json_object(text) RETURNS text LANGUAGE sql AS \'SELECT $1\'');
        DB::statement('CREATE FUNCTION as_json_object(text) RETURNS text LANGUAGE sql AS \'SELECT $1\'');
    }
};
