<?php

declare(strict_types=1);

namespace Newsroom\Command;

use Doctrine\DBAL\Connection;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand(name: 'newsroom:schema-report', description: 'Checks and defaults of the schema, as Markdown')]
final class SchemaReportCommand extends Command
{
    private const CHECKS = <<<'SQL'
        SELECT c.conrelid::regclass::text AS relation, c.conname,
               pg_get_constraintdef(c.oid) AS consrc
          FROM pg_constraint c
         WHERE c.contype = 'c' AND c.connamespace = 'cms'::regnamespace
        SQL;

    private const DEFAULTS = <<<'SQL'
        SELECT d.adrelid::regclass::text AS relation, d.adnum,
               pg_get_expr(d.adbin, d.adrelid) AS adsrc
          FROM pg_attrdef d
          JOIN pg_class c ON c.oid = d.adrelid
         WHERE c.relnamespace = 'cms'::regnamespace
        SQL;

    public function __construct(private readonly Connection $db)
    {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        foreach ($this->db->fetchAllAssociative(self::CHECKS) as $row) {
            $output->writeln(sprintf('| %s | %s | %s |', $row['relation'], $row['conname'], $row['consrc']));
        }
        foreach ($this->db->fetchAllAssociative(self::DEFAULTS) as $row) {
            $output->writeln(sprintf('| %s | %d | %s |', $row['relation'], $row['adnum'], $row['adsrc']));
        }
        $slow = $this->db->fetchAllAssociative(
            'SELECT template, total_time / nullif(calls, 0) AS mean FROM cms.render_stats ORDER BY 2 DESC LIMIT 10'
        );
        foreach ($slow as $row) {
            $output->writeln(sprintf('| %s | %.1f ms |', $row['template'], $row['mean']));
        }

        return Command::SUCCESS;
    }
}
