<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class VisitRepository
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function planned(string $region): array
    {
        $qb = $this->connection->createQueryBuilder();

        return $qb->select('v.id', 's.name', 'v.planned_for')
            ->from('visits', 'v')
            ->join('v', 'sites', 's', 's.id = v.site_id')
            ->join('v', 'technicians', 'e', 'e.id = v.technician_id')
            ->where("v.state = 'planned'")
            ->andWhere('e.region = :region')
            ->orderBy('v.planned_for')
            ->setParameter('region', $region)
            ->fetchAllAssociative();
    }

    public function technicians(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT id, name, muted AS ignore, licence AS respect FROM technicians ORDER BY id'
        );
    }

    public function tour(int $technician): array
    {
        return $this->connection->fetchAllAssociative(<<<'SQL'
            SELECT s.town, count(*) AS visits, sum(v.minutes) AS minutes
              FROM visits v
              JOIN sites s ON s.id = v.site_id
             WHERE v.technician_id = :technician
             GROUP BY ROLLUP (s.town)
             ORDER BY s.town NULLS LAST
            SQL, ['technician' => $technician]);
    }

    public function overview(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT id, name, town, last_visit, traps FROM site_overview ORDER BY id'
        );
    }
}
