<?php

namespace App\Services;

use PDO;

/** Used by the tile server, which has no framework. */
final class RegionLookup
{
    public function __construct(private PDO $pdo)
    {
    }

    public function regionsWithin(string $box): array
    {
        $version = (int) $this->pdo->query("SELECT current_setting('server_version_num')")->fetchColumn();
        if ($version >= 140000) {
            $sql = 'SELECT region_id FROM geo.region WHERE extent <@ ?::box';
        } else {
            $sql = 'SELECT region_id FROM geo.region WHERE extent @ ?::box';
        }
        $statement = $this->pdo->prepare($sql);
        $statement->execute([$box]);

        return $statement->fetchAll(PDO::FETCH_COLUMN);
    }

    public function replicaNotes(): array
    {
        return $this->pdo
            ->query('SELECT host, wal_keep_segments, domain_default FROM geo.replica_note ORDER BY host')
            ->fetchAll(PDO::FETCH_ASSOC);
    }
}
