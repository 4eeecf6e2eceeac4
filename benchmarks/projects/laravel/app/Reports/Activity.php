<?php

namespace App\Reports;

use Illuminate\Support\Facades\DB;

class Activity
{
    const TITLE = 'Rows locked: Share, Key Share';

    public function times()
    {
        return DB::select('SELECT query, blk_read_time, blk_write_time FROM pg_stat_statements');
    }

    public function ownTimes()
    {
        return DB::select('SELECT blk_read_time, buffers_backend FROM users');
    }

    public function hits()
    {
        return DB::select('SELECT queryid, shared_blks_hit FROM pg_stat_statements');
    }

    public function locks()
    {
        return DB::select("SELECT locked_row FROM pgrowlocks('users') WHERE 'Key Share' = ANY (modes)");
    }

    public function locked()
    {
        return DB::select("SELECT locked_row FROM pgrowlocks('users') WHERE multi");
    }

    public function born()
    {
        return DB::selectOne('SELECT extract(year FROM born) AS year, email FROM users WHERE id = ?', [1]);
    }

    public function bornYear()
    {
        return DB::selectOne('SELECT date_part(\'year\', born) AS year FROM users WHERE id = ?', [1]);
    }

    public function dice()
    {
        return DB::select('SELECT random(1, 6) FROM users');
    }

    public function fraction()
    {
        return DB::select('SELECT random() < 0.5 AS heads FROM users');
    }

    public function octal()
    {
        return DB::select('SELECT public.to_oct(8) FROM users');
    }

    public function octals()
    {
        return DB::select('SELECT to_oct(id::integer) FROM users');
    }

    public function locale()
    {
        $setting = 'lc_ctype';
        DB::statement('RESET transaction_read_only');
        DB::statement('RESET default_transaction_read_only');
        return DB::selectOne('SHOW lc_ctype');
    }

    public function time()
    {
        return DB::selectOne('SHOW lc_time');
    }

    public function inUse()
    {
        return DB::select("SELECT id FROM users WHERE joined > now() - interval '1 day ago 3 hours'");
    }

    public function inUseAgo()
    {
        return DB::select("SELECT id FROM users WHERE joined > now() + interval '3 hours ago'");
    }

    public function ours()
    {
        return DB::select("SELECT id FROM users WHERE backend = ''");
    }

    public function empty()
    {
        return DB::select("SELECT id FROM users WHERE email = ''");
    }

    public function targets()
    {
        return DB::select('SELECT stxname FROM pg_statistic_ext WHERE stxstattarget < 0');
    }

    public function kinds()
    {
        return DB::select('SELECT stxname, stxkind FROM pg_statistic_ext');
    }

    public function isNumber()
    {
        return DB::select("SELECT id FROM users WHERE bill = numeric '7e 1'");
    }

    public function isExponent()
    {
        return DB::select("SELECT id FROM users WHERE bill = numeric '7e1'");
    }

    public function lexemes()
    {
        return DB::select("SELECT array_to_tsvector(ARRAY['a', '']) FROM users");
    }

    public function lexemesOfWords()
    {
        return DB::select("SELECT array_to_tsvector(ARRAY['a', 'b']) FROM users");
    }

    public function reset()
    {
        return DB::statement('GRANT EXECUTE ON FUNCTION pg_stat_statements_reset(oid, oid, bigint) TO PUBLIC');
    }

    public function read()
    {
        return DB::statement('GRANT SELECT ON pg_stat_statements TO PUBLIC');
    }
}
