<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class ShipmentRepository
{
    private $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    public function late(): array
    {
        return $this->connection->createQueryBuilder()
            ->select('s.id', 's.sent_location', 's.due_on')
            ->from('shipments', 's')
            ->where('s.delivered_at IS NULL')
            ->andWhere('s.due_on < current_date')
            ->execute()
            ->fetchAllAssociative();
    }

    public function dueHours(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT extract(hour FROM due_on) AS due_hour, count(*) AS shipments FROM shipments GROUP BY 1'
        );
    }
}
