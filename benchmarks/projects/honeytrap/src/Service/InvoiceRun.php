<?php

declare(strict_types=1);

namespace App\Service;

use Doctrine\DBAL\Connection;

/**
 * Writes the invoices of a month. Numbers must have no gaps, so the run is serializable.
 */
final class InvoiceRun
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function run(string $day): int
    {
        $this->connection->executeStatement("SET default_transaction_isolation = 'serializable'");
        try {
            return $this->connection->transactional(fn () => $this->write($day));
        } finally {
            $this->connection->executeStatement('RESET default_transaction_isolation');
        }
    }

    private function write(string $day): int
    {
        $next = (int) $this->connection->fetchOne(
            "SELECT coalesce(max(split_part(number, '-', 2)::integer), 0) + 1
               FROM invoices
              WHERE number LIKE to_char(CAST(? AS date), 'YYYY') || '-%'",
            [$day]
        );

        return (int) $this->connection->executeStatement(<<<'SQL'
            INSERT INTO invoices (contract_id, number, issued_on, net)
            SELECT k.id, to_char(CAST(:day AS date), 'YYYY-') || lpad((:next + row_number() OVER (ORDER BY k.id) - 1)::text, 4, '0'),
                   CAST(:day AS date), round(k.fee / 12, 2)
              FROM contracts k
             WHERE k.starts_on <= CAST(:day AS date)
            SQL, ['day' => $day, 'next' => $next]);
    }

    /** A dry run for the accountant, on one snapshot. */
    public function preview(string $day): array
    {
        $this->connection->beginTransaction();
        try {
            $this->connection->executeStatement('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
            $open = $this->connection->fetchAllAssociative('SELECT number, gross FROM unpaid_invoices ORDER BY number');
            $level = $this->connection->fetchOne('SHOW transaction_isolation');

            return ['day' => $day, 'level' => $level, 'open' => $open];
        } finally {
            $this->connection->rollBack();
        }
    }

    public function correct(int $invoice, string $net): void
    {
        $this->connection->executeStatement("SET statement_timeout = '10s'");
        $this->connection->executeStatement('UPDATE invoices SET net = ? WHERE id = ? AND paid_on IS NULL', [$net, $invoice]);
        $this->connection->executeStatement('RESET transaction_isolation');
        $this->connection->executeStatement('RESET statement_timeout');
    }
}
