<?php

declare(strict_types=1);

namespace App\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * Compares the constraints of this database with the list in var/constraints.json, which the build has written.
 */
#[AsCommand(name: 'app:schema:check', description: 'Compares the constraints with those of the build')]
final class SchemaCheckCommand extends Command
{
    private const CONSTRAINTS = <<<'SQL'
        SELECT c.conrelid::regclass::text AS table_name, c.conname
          FROM pg_constraint c
         WHERE c.connamespace = 'public'::regnamespace
         ORDER BY 1, 2
        SQL;

    private const FOREIGN_KEYS = <<<'SQL'
        SELECT k.conrelid::regclass::text AS table_name, k.confrelid::regclass::text AS target
          FROM pg_constraint k
         WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace
         ORDER BY 1, 2
        SQL;

    private const UNVALIDATED = "SELECT conname FROM pg_constraint WHERE contype IN ('c', 'f') AND NOT convalidated";

    public function __construct(private readonly Connection $connection)
    {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $expected = json_decode((string) file_get_contents('var/constraints.json'), true);
        $found = $this->connection->fetchAllNumeric(self::CONSTRAINTS);
        $output->writeln(sprintf('%d constraints, %d foreign keys', \count($found), \count($this->connection->fetchAllNumeric(self::FOREIGN_KEYS))));

        foreach ($this->connection->fetchFirstColumn(self::UNVALIDATED) as $name) {
            $output->writeln("not validated: {$name}");
        }

        $keys = $this->connection->fetchFirstColumn(
            "SELECT table_name FROM information_schema.table_constraints
              WHERE constraint_type = 'PRIMARY KEY' AND table_schema = 'public' ORDER BY table_name"
        );
        $output->writeln(sprintf('%d primary keys', \count($keys)));

        return $found === $expected ? Command::SUCCESS : Command::FAILURE;
    }
}
