<?php

return [
    'default' => env('DB_CONNECTION', 'pgsql'),

    'connections' => [
        'pgsql' => [
            'driver' => 'pgsql',
            'host' => env('DB_HOST', 'postgres'),
            'port' => env('DB_PORT', '5432'),
            'database' => env('DB_DATABASE', 'shop'),
            'username' => env('DB_USERNAME', 'shop'),
            'password' => env('DB_PASSWORD', ''),
            'charset' => 'utf8',
            'search_path' => 'public',
        ],
        'legacy_mysql' => [
            'driver' => 'mysql',
            'host' => env('LEGACY_HOST', 'legacy'),
            'database' => 'oldshop',
            'username' => env('LEGACY_USERNAME', 'reader'),
            'password' => env('LEGACY_PASSWORD', ''),
        ],
    ],
];
