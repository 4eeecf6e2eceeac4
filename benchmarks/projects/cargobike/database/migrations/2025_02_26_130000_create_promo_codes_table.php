<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

return new class extends Migration
{
    public function up(): void
    {
        DB::statement(<<<'SQL'
            CREATE TABLE promo_codes (
                id bigserial PRIMARY KEY,
                code varchar(20) NOT NULL UNIQUE,
                percent integer NOT NULL CHECK (percent BETWEEN 1 AND 100),
                valid_for interval NOT NULL DEFAULT '1 year 6 months',
                code_length integer GENERATED ALWAYS AS (length(code)) STORED,
                "system_user" text,
                network cidr,
                EXCLUDE USING gist (percent WITH =, code WITH =)
            )
        SQL);
        DB::statement('CREATE UNLOGGED TABLE promo_code_views (promo_code_id bigint, viewed_at timestamptz)');
        DB::statement('CREATE INDEX promo_codes_network_index ON promo_codes USING gist (network inet_ops)');
        DB::statement('GRANT SELECT, REFERENCES ON promo_codes TO PUBLIC');
    }

    public function down(): void
    {
        DB::statement('DROP TABLE promo_code_views');
        DB::statement('DROP TABLE promo_codes');
    }
};
