<?php

declare(strict_types=1);

namespace App\Service;

use Doctrine\DBAL\Connection;

final class AuditTrail
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function record(string $user, array $entry): void
    {
        $this->connection->insert('audit_log', [
            '"system_user"' => $user,
            'entry' => json_encode($entry),
        ]);
    }

    public function latest(int $limit): array
    {
        $query = $this->connection->createQueryBuilder();
        $query->select('a.id', 'a.logged_at', 'a.entry')->from('audit_log', 'a')->setMaxResults($limit);

        return $query->fetchAllAssociative();
    }

    public function users(): array
    {
        return $this->connection->fetchFirstColumn(
            'SELECT DISTINCT system_user FROM audit_log WHERE logged_at > now() - interval \'30 days\''
        );
    }
}
