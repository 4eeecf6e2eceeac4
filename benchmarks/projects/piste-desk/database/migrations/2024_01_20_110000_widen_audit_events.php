<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::table('audit_events', function (Blueprint $table) {
            $table->string('system_user', 160)->change();
            $table->index(['system_user', 'created_at']);
        });

        DB::statement('ALTER TABLE audit_events ADD CONSTRAINT audit_events_user CHECK ("system_user" <> \'\')');
    }

    public function down(): void
    {
        DB::statement('ALTER TABLE audit_events DROP CONSTRAINT IF EXISTS audit_events_user');
    }
};
