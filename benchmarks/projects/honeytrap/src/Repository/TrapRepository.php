<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class TrapRepository
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /** @return list<array<string, mixed>> */
    public function ofSite(int $site): array
    {
        return $this->connection->createQueryBuilder()
            ->select('t.id', 't.label', 't.kind', 't.place', 't.area_cm2')
            ->from('traps', 't')
            ->where('t.site_id = :site')
            ->orderBy('t.label COLLATE "C"')
            ->setParameter('site', $site)
            ->fetchAllAssociative();
    }

    /** Which species each site has had, for the label on its folder. */
    public function speciesOfSites(): array
    {
        return $this->connection->fetchAllAssociative(<<<'SQL'
            SELECT t.site_id,
                   array_agg(DISTINCT c.species_id ORDER BY c.species_id) AS species,
                   array_sort(array_agg(c.trap_id)) AS traps
              FROM catches c
              JOIN traps t ON t.id = c.trap_id
             GROUP BY t.site_id
             ORDER BY t.site_id
            SQL);
    }

    /** The same for a single species. */
    public function trapsOfSpecies(int $species): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT c.species_id, public.array_sort(array_agg(c.trap_id)) AS traps
               FROM catches c
              WHERE c.species_id = ?
              GROUP BY c.species_id',
            [$species]
        );
    }

    public function catchesPerQuarter(): array
    {
        $sql = <<<'SQL'
            SELECT extract(quarter FROM c.caught_at) AS quarter,
                   s.family, sum(c.number) AS caught
              FROM catches c
              JOIN species s ON s.id = c.species_id
             GROUP BY 1, 2
             ORDER BY 1, 2
            SQL;

        return $this->connection->fetchAllAssociative($sql);
    }

    public function silent(string $since): array
    {
        return $this->connection->fetchAllAssociative(
            "SELECT t.id, t.label, max(r.taken_at) AS latest
               FROM traps t
               LEFT JOIN trap_readings r ON r.trap_id = t.id
              GROUP BY t.id, t.label
             HAVING coalesce(max(r.taken_at), '-infinity') < CAST(:since AS timestamptz)
              ORDER BY t.id",
            ['since' => $since]
        );
    }

    public function recentlyPlaced(): array
    {
        return $this->connection->fetchAllAssociative(
            "SELECT id, label FROM traps WHERE placed_on > now() + interval '30 days ago' ORDER BY id"
        );
    }

    public function record(int $trap, int $species, int $number): void
    {
        $this->connection->executeStatement(
            'INSERT INTO catches (trap_id, species_id, caught_at, number) VALUES (:trap, :species, now(), :number)',
            ['trap' => $trap, 'species' => $species, 'number' => $number]
        );
    }
}
