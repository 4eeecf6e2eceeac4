<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class SearchRepository
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function saved(int $customer): array
    {
        return $this->connection->fetchFirstColumn(
            'SELECT s.json_query FROM saved_searches s WHERE s.customer_id = ? ORDER BY s.id',
            [$customer],
        );
    }

    public function save(int $customer, array $query): void
    {
        $this->connection->executeStatement(
            'INSERT INTO saved_searches (customer_id, json_query) VALUES (?, ?)',
            [$customer, json_encode($query)],
        );
    }
}
