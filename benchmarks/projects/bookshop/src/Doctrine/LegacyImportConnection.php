<?php

declare(strict_types=1);

namespace App\Doctrine;

use Doctrine\DBAL\Connection;

final class LegacyImportConnection
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function prepareSession(): void
    {
        $this->connection->executeStatement("SET DateStyle TO 'ISO, DMY'");
        $this->connection->executeStatement('SET standard_conforming_strings TO off');
        $this->connection->executeStatement("SET client_encoding TO 'UTF8'");
    }

    public function import(string $line): void
    {
        [$isbn, $title, $price] = explode(';', $line);
        $this->connection->executeStatement(
            'INSERT INTO books (isbn, title, price) VALUES (?, ?, ?) ON CONFLICT (isbn) DO NOTHING',
            [$isbn, $title, $price],
        );
    }
}
