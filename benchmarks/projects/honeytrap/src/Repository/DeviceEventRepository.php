<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class DeviceEventRepository
{
    private const CLOSED = <<<'SQL'
        SELECT e.gateway_id, e.happened_at,
               json_value(e.payload, 'trap') AS trap
          FROM device_events e
         WHERE e.kind = 'closed'
         ORDER BY e.id
        SQL;

    private const WEAK = <<<'SQL'
        SELECT e.gateway_id, public.json_value(e.payload, 'rssi')::integer AS rssi
          FROM device_events e
         WHERE (e.payload ->> 'rssi')::integer < -75
         ORDER BY e.id
        SQL;

    public function __construct(private readonly Connection $connection)
    {
    }

    public function closed(): array
    {
        return $this->connection->fetchAllAssociative(self::CLOSED);
    }

    public function weakSignals(): array
    {
        return $this->connection->fetchAllAssociative(self::WEAK);
    }

    public function batteries(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT e.gateway_id, "json_value"(e.payload, \'volt\') AS volt FROM device_events e WHERE e.kind = \'battery\''
        );
    }

    public function members(int $gateway): array
    {
        return $this->connection->fetchAllAssociative(
            "SELECT m.key, m.value AS json_value, 'json_value' AS source
               FROM device_events e
              CROSS JOIN LATERAL jsonb_each_text(e.payload) AS m (key, value)
              WHERE e.gateway_id = :gateway
              ORDER BY e.id, m.key",
            ['gateway' => $gateway]
        );
    }

    /** Journal counters of the gateways, as they report them. */
    public function journals(): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT gateway_id, wal_write, wal_sync, wal_write / nullif(wal_sync, 0) AS ratio FROM gateway_status ORDER BY gateway_id'
        );
    }

    public function drain(int $limit): array
    {
        return $this->connection->fetchAllAssociative(
            'DELETE FROM reading_buffer WHERE ctid IN (SELECT ctid FROM reading_buffer ORDER BY received_at LIMIT :limit) RETURNING raw',
            ['limit' => $limit]
        );
    }
}
