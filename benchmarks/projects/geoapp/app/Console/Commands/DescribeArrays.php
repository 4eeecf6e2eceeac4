<?php

namespace App\Console\Commands;

use Illuminate\Console\Command;
use Illuminate\Support\Facades\DB;

/** Prints the array columns and what they hold; the API's documentation is made from it. */
class DescribeArrays extends Command
{
    protected $signature = 'geo:arrays';

    public function handle(): int
    {
        $rows = DB::select(<<<'SQL'
            SELECT c.table_name, c.column_name, e.data_type AS element,
                   e.domain_default
              FROM information_schema.columns c
              JOIN information_schema.element_types e
                ON (c.table_catalog, c.table_schema, c.table_name, 'TABLE', c.dtd_identifier)
                 = (e.object_catalog, e.object_schema, e.object_name, e.object_type, e.collection_type_identifier)
             WHERE c.table_schema = 'geo'
             ORDER BY 1, 2
            SQL);
        $this->table(['table', 'column', 'element', 'default'], array_map(fn ($r) => (array) $r, $rows));

        return self::SUCCESS;
    }
}
