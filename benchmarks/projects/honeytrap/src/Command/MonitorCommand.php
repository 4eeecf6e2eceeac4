<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand(name: 'app:monitor', description: 'Figures of the database')]
final class MonitorCommand extends Command
{
    private const QUERIES = [
        'sessions' => "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
        'buffers' => 'SELECT buffers_clean + buffers_alloc FROM pg_stat_bgwriter',
        'vacuums' => 'SELECT count(*) FROM pg_stat_progress_vacuum WHERE heap_blks_scanned < heap_blks_total',
        'queue' => "SELECT count(*) FROM messenger_messages WHERE queue_name <> 'failed'",
    ];

    public function __construct(private readonly Connection $connection)
    {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        foreach (self::QUERIES as $name => $sql) {
            $output->writeln(sprintf('honeytrap_%s %d', $name, $this->connection->fetchOne($sql)));
        }

        return Command::SUCCESS;
    }
}
