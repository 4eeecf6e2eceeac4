<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

/** Takes over places of the old map (MySQL). */
class ImportLegacy extends Command
{
    protected $signature = 'geo:import-legacy';

    public function handle(): int
    {
        $old = DB::connection('legacy')->select('SELECT naam, soort, lengte, breedte FROM plaats WHERE NOT vervallen');
        foreach ($old as $row) {
            DB::insert(
                'INSERT INTO geo.place (name, kind, position, tags) VALUES (?, ?, point(?, ?), string_to_array(?, \',\'))',
                [$row->naam, $row->soort, $row->lengte, $row->breedte, $row->soort]
            );
        }
        $this->info(count($old) . ' places');

        return self::SUCCESS;
    }
}
