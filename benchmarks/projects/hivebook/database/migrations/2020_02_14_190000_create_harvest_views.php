<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Support\Facades\DB;

class CreateHarvestViews extends Migration
{
    public function up()
    {
        DB::statement("
            CREATE OR REPLACE VIEW harvest_by_year AS
            SELECT h.apiary_id,
                   extract(year FROM v.harvested_on) AS year,
                   sum(v.kilos) AS kilos
              FROM harvests v
              JOIN hives h ON h.id = v.hive_id
             GROUP BY 1, 2
        ");

        DB::statement("
            CREATE OR REPLACE VIEW inspection_months AS
            SELECT extract(month FROM i.inspected_at)::integer AS month,
                   count(*) AS inspections,
                   avg(i.mites) AS mites
              FROM inspections i
             GROUP BY 1
        ");
    }

    public function down()
    {
        DB::statement('DROP VIEW IF EXISTS inspection_months');
        DB::statement('DROP VIEW IF EXISTS harvest_by_year');
    }
}
