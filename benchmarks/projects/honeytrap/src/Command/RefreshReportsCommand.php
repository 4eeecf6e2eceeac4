<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand(name: 'app:reports:refresh', description: 'Refreshes the figures of the reports')]
final class RefreshReportsCommand extends Command
{
    public function __construct(private readonly Connection $connection)
    {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $this->connection->executeStatement('REFRESH MATERIALIZED VIEW species_totals');
        $this->connection->executeStatement('REFRESH MATERIALIZED VIEW CONCURRENTLY site_alarms');

        foreach ($this->connection->fetchAllAssociative('SELECT label, caught FROM species_totals ORDER BY caught DESC') as $row) {
            $output->writeln(sprintf('%-40s %6d', $row['label'], $row['caught']));
        }

        return Command::SUCCESS;
    }
}
