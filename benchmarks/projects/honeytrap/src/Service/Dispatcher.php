<?php

declare(strict_types=1);

namespace App\Service;

use Doctrine\DBAL\Connection;

final class Dispatcher
{
    public function __construct(private readonly Connection $connection)
    {
    }

    /** Who is on shift now, and who is nearest. */
    public function onShift(string $region): array
    {
        return $this->connection->fetchAllAssociative(
            'SELECT e.id, e.name
               FROM technicians e
               JOIN shifts f ON f.technician_id = e.id
              WHERE f.during @> now() AND e.region = :region AND NOT e.muted
              ORDER BY lower(f.during)',
            ['region' => $region]
        );
    }

    public function gatewayFor(string $address): array|false
    {
        return $this->connection->fetchAssociative(
            'SELECT g.id, g.site_id, host(g.ip_address) AS address
               FROM gateways g
              WHERE g.ip_address = CAST(:address AS inet) AND g.in_service @> current_date',
            ['address' => $address]
        );
    }

    public function siteOfNetwork(string $address): array|false
    {
        return $this->connection->fetchAssociative(
            'SELECT s.id, s.name FROM sites s WHERE s.network >>= CAST(:address AS inet)',
            ['address' => $address]
        );
    }

    public function close(int $alarm): void
    {
        $this->connection->update('alarms', ['closed_at' => date('c')], ['id' => $alarm]);
        $this->connection->executeStatement("SELECT pg_notify('alarms', 'closed')");
    }
}
