<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

final class ReplicationCommand extends Command
{
    protected static $defaultName = 'app:replication';

    private $connection;

    public function __construct(Connection $connection)
    {
        parent::__construct();
        $this->connection = $connection;
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $standbys = $this->connection->fetchAllAssociative(
            'SELECT application_name, state, replay_location FROM pg_stat_replication'
        );
        foreach ($standbys as $standby) {
            $output->writeln(implode("\t", $standby));
        }
        if ($this->connection->fetchOne('SELECT pg_is_in_recovery()')) {
            $output->writeln('replay paused: ' . ($this->paused() ? 'yes' : 'no'));
        }

        return 0;
    }

    private function paused(): bool
    {
        $version = (int) $this->connection->fetchOne("SELECT current_setting('server_version_num')");
        if ($version < 100000) {
            return (bool) $this->connection->fetchOne('SELECT pg_is_xlog_replay_paused()');
        }

        return (bool) $this->connection->fetchOne('SELECT pg_is_wal_replay_paused()');
    }
}
