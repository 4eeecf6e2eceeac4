<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class BaitRepository
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /** Labels for the thermal printer, which knows ASCII only. */
    public function printable(): array
    {
        return $this->connection->fetchAllKeyValue('SELECT code, unaccent(label) AS label FROM baits ORDER BY code COLLATE "C"');
    }

    public function shortLabels(): array
    {
        return $this->connection->fetchAllKeyValue(
            "SELECT code, upper(translate(label, 'âéè', 'aee')) AS unaccented FROM baits ORDER BY code COLLATE \"C\""
        );
    }

    public function used(string $code): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT p.bait, count(*) AS placements, sum(p.grams) AS grams
               FROM bait_placements p
              WHERE p.bait = :code
              GROUP BY p.bait',
            ['code' => $code]
        );
    }

    public function substances(): string
    {
        return (string) $this->connection->fetchOne(
            "SELECT string_agg(DISTINCT substance, ', ' ORDER BY substance) FROM baits"
        );
    }

    public function raisePrices(float $factor): int|string
    {
        return $this->connection->executeStatement(
            'UPDATE baits SET price = round(price * CAST(? AS numeric), 2)',
            [$factor]
        );
    }
}
