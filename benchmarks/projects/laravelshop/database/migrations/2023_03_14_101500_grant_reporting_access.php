<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement('GRANT SELECT, REFERENCES, TRIGGER ON customers TO reporting');
        DB::statement('GRANT SELECT, RULE, REFERENCES ON orders TO reporting');
    }

    public function down(): void
    {
        DB::statement('REVOKE ALL ON customers, orders FROM reporting');
    }
};
