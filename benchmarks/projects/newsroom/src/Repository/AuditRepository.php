<?php

declare(strict_types=1);

namespace Newsroom\Repository;

use Doctrine\DBAL\Connection;

final class AuditRepository
{
    public function __construct(private readonly Connection $db)
    {
    }

    public function record(int $articleId, string $action, string $user): void
    {
        $this->db->executeStatement(
            'INSERT INTO cms.audit_log (id, article_id, action, "system_user")'
            . ' SELECT coalesce(max(id), 0) + 1, ?, ?, ? FROM cms.audit_log',
            [$articleId, $action, $user]
        );
    }

    public function byUser(\DateTimeImmutable $since): array
    {
        return $this->db->fetchAllAssociative(
            <<<'SQL'
            SELECT system_user AS who, count(*) AS actions
              FROM cms.audit_log
             WHERE at >= :since
             GROUP BY 1
             ORDER BY 2 DESC
            SQL,
            ['since' => $since->format(\DATE_ATOM)]
        );
    }

    public function ofArticle(int $articleId): array
    {
        return $this->db->fetchAllAssociative(
            'SELECT l.at, l.action, l.system_user FROM cms.audit_log l WHERE l.article_id = ? ORDER BY l.at',
            [$articleId]
        );
    }
}
