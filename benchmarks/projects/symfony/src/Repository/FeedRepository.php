<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class FeedRepository
{
    private $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    public function prices(int $seller): array
    {
        $sql = <<<'SQL'
            SELECT f.id,
                   (xpath('offer/price/text()', f.body))[1]::text AS first_price
              FROM feeds f
             WHERE f.seller_id = :seller
SQL;

        return $this->connection->fetchAllAssociative($sql, ['seller' => $seller]);
    }

    public function currency(int $feed): ?string
    {
        return $this->connection->fetchOne(
            "SELECT (xpath('/catalog/@currency', body))[1]::text FROM feeds WHERE id = ?",
            [$feed]
        ) ?: null;
    }

    public function age(int $feed): int
    {
        $sql = 'SELECT now()::abstime::integer - extract(epoch FROM fetched_at)::integer'
            . ' FROM feeds WHERE id = ?';

        return (int) $this->connection->fetchOne($sql, [$feed]);
    }
}
