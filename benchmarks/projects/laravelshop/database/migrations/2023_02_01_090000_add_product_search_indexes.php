<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement('CREATE INDEX products_search_key ON public.products (public.search_key(name))');
        DB::statement('CREATE INDEX products_slug ON public.products (public.slugify(name))');
    }

    public function down(): void
    {
        DB::statement('DROP INDEX products_slug');
        DB::statement('DROP INDEX products_search_key');
    }
};
