<?php

declare(strict_types=1);

namespace App\Service;

use Doctrine\DBAL\Connection;

final class InvoiceNumbers
{
    private const SEQUENCE = 'invoice_number_seq';

    private $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    public function reserve(): array
    {
        $first = (int) $this->connection->fetchOne('SELECT nextval(?)', [self::SEQUENCE]);
        $step = (int) $this->connection->fetchOne('SELECT increment_by FROM ' . self::SEQUENCE);

        return range($first, $first + $step - 1);
    }

    public function used(): int
    {
        return (int) $this->connection->fetchOne('SELECT last_value FROM ' . self::SEQUENCE);
    }
}
