<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Psr\Log\LoggerInterface;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand(name: 'bookshop:snapshot')]
final class SnapshotCommand extends Command
{
    public function __construct(private readonly Connection $connection, private readonly LoggerInterface $logger)
    {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        if ($this->connection->fetchOne('SELECT pg_is_in_backup()')) {
            $this->logger->warning('pg_start_backup() is still active, skipping the snapshot');

            return Command::FAILURE;
        }
        $this->connection->executeStatement('CHECKPOINT');
        $output->writeln('snapshot may be taken');

        return Command::SUCCESS;
    }
}
