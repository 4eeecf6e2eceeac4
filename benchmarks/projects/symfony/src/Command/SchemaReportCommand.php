<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Style\SymfonyStyle;

final class SchemaReportCommand extends Command
{
    protected static $defaultName = 'app:schema:report';

    private $connection;

    public function __construct(Connection $connection)
    {
        parent::__construct();
        $this->connection = $connection;
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $io = new SymfonyStyle($input, $output);
        $checks = $this->connection->fetchAllAssociative(<<<'SQL'
            SELECT c.conrelid::regclass::text AS relation,
                   c.consrc AS expression
              FROM pg_constraint c
             WHERE c.contype = 'c'
SQL
        );
        $io->table(['relation', 'expression'], $checks);

        $keys = $this->connection->fetchAllAssociative(<<<'SQL'
            SELECT c.conrelid::regclass::text AS relation,
                   pg_get_constraintdef(c.oid) AS definition
              FROM pg_constraint c
             WHERE c.contype = 'f'
SQL
        );
        $io->table(['relation', 'definition'], $keys);

        $missing = $this->connection->fetchFirstColumn(
            'SELECT c.oid::regclass::text FROM pg_class c'
            . " WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace"
            . ' AND NOT c.relhaspkey'
        );
        foreach ($missing as $table) {
            $io->warning(sprintf('%s has no primary key (relhaspkey is false)', $table));
        }

        return 0;
    }
}
