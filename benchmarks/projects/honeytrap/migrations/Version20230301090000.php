<?php

declare(strict_types=1);

namespace DoctrineMigrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20230301090000 extends AbstractMigration
{
    public function getDescription(): string
    {
        return 'Baseline of the schema';
    }

    public function up(Schema $schema): void
    {
        foreach (['structure', 'reports'] as $file) {
            $this->connection->executeStatement(file_get_contents(\dirname(__DIR__) . "/db/{$file}.sql"));
        }
    }

    public function down(Schema $schema): void
    {
        $this->throwIrreversibleMigrationException();
    }
}
