<?php

return [
    'default' => env('DB_CONNECTION', 'pgsql'),

    'connections' => [
        'pgsql' => [
            'driver' => 'pgsql',
            'host' => env('DB_HOST', '127.0.0.1'),
            'port' => env('DB_PORT', '5432'),
            'database' => env('DB_DATABASE', 'geo'),
            'username' => env('DB_USERNAME', 'geo_app'),
            'password' => env('DB_PASSWORD', ''),
            'charset' => 'utf8',
            'search_path' => 'geo,public',
            'sslmode' => 'prefer',
        ],

        // the old map, read by the importer only
        'legacy' => [
            'driver' => 'mysql',
            'host' => env('LEGACY_HOST', '127.0.0.1'),
            'database' => 'kaart',
            'username' => 'lezer',
            'password' => env('LEGACY_PASSWORD', ''),
        ],
    ],
];
