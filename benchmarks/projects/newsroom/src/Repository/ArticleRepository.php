<?php

declare(strict_types=1);

namespace Newsroom\Repository;

use Doctrine\DBAL\Connection;

final class ArticleRepository
{
    private const COLUMNS = 'a.id, a.slug, a.title, a.published_at';

    public function __construct(private readonly Connection $db)
    {
    }

    /** @return list<array<string, mixed>> */
    public function underEmbargo(): array
    {
        $sql = 'SELECT a.id, a.title, a.embargo_epoch::abstime AS embargo'
            . ' FROM cms.articles a'
            . " WHERE a.state = 'ready' AND a.embargo_epoch IS NOT NULL";

        return $this->db->fetchAllAssociative($sql);
    }

    /** @return list<array<string, mixed>> */
    public function embargoEnded(): array
    {
        return $this->db->fetchAllAssociative(
            'SELECT a.id, now() - to_timestamp(a.embargo_epoch) AS reltime FROM cms.articles a'
            . ' WHERE to_timestamp(a.embargo_epoch) < now()'
        );
    }

    /** Serials have their number in the slug: budget-2024-part-12. */
    public function parts(string $serial): array
    {
        $qb = $this->db->createQueryBuilder();

        return $qb
            ->select('a.id', 'a.slug')
            ->addSelect("substring(a.slug from '%#\"[0-9]+#\"%' for '#') AS part")
            ->addSelect("substring(a.slug from '[0-9]+$') AS last_number")
            ->from('cms.articles', 'a')
            ->where('a.slug LIKE :serial')
            ->setParameter('serial', $serial . '-%')
            ->orderBy('a.slug')
            ->fetchAllAssociative();
    }

    public function corporate(int $limit): array
    {
        $sql = 'SELECT ' . self::COLUMNS . ' FROM cms.articles a'
            . " WHERE a.search @@ to_tsquery('english', 'press_release | embargo_note')"
            . ' ORDER BY a.published_at DESC LIMIT :limit';

        return $this->db->fetchAllAssociative($sql, ['limit' => $limit]);
    }

    public function elections(int $limit): array
    {
        $sql = 'SELECT ' . self::COLUMNS . ' FROM cms.articles a'
            . " WHERE a.search @@ to_tsquery('english', 'election & result')"
            . ' ORDER BY a.published_at DESC LIMIT :limit';

        return $this->db->fetchAllAssociative($sql, ['limit' => $limit]);
    }

    /** Articles by the year in which they were printed. */
    public function byYear(): array
    {
        return $this->db->fetchAllKeyValue(<<<'SQL'
            SELECT extract(year FROM a.printed_at)::int AS year, count(*)
              FROM cms.articles a
             WHERE a.printed_at IS NOT NULL
             GROUP BY 1
             ORDER BY 1
            SQL);
    }
}
