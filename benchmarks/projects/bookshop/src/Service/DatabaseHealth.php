<?php

declare(strict_types=1);

namespace App\Service;

use Doctrine\DBAL\Connection;

final class DatabaseHealth
{
    private const SLOW = <<<'SQL'
        SELECT queryid, calls, total_exec_time,
               blk_read_time + blk_write_time AS io_time
          FROM pg_stat_statements
         ORDER BY total_exec_time DESC
         LIMIT 10
        SQL;

    public function __construct(private readonly Connection $connection)
    {
    }

    public function slowStatements(): array
    {
        return $this->connection->fetchAllAssociative(self::SLOW);
    }

    public function collation(): string
    {
        return (string) $this->connection->fetchOne('SHOW lc_collate');
    }

    public function vacuums(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT relid::regclass, phase, heap_blks_scanned, '
            . 'num_dead_tuples '
            . 'FROM pg_stat_progress_vacuum'
        );
    }

    public function checkpoints(): int
    {
        $version = (int) $this->connection->fetchOne('SHOW server_version_num');
        if ($version >= 170000) {
            return (int) $this->connection->fetchOne('SELECT num_requested FROM pg_stat_checkpointer');
        } else {
            return (int) $this->connection->fetchOne('SELECT checkpoints_req FROM pg_stat_bgwriter');
        }
    }
}
