<?php

declare(strict_types=1);

namespace DoctrineMigrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20231120141500 extends AbstractMigration
{
    public function getDescription(): string
    {
        return 'Readings arrive in bursts: less WAL for them';
    }

    public function up(Schema $schema): void
    {
        $this->addSql('ALTER TABLE trap_readings_2023h2 SET (autovacuum_vacuum_scale_factor = 0.02)');
        $this->addSql('ALTER TABLE trap_readings SET UNLOGGED');
        $this->addSql('ALTER TABLE trap_readings_2024h1 SET UNLOGGED');
        $this->addSql(<<<'SQL'
            CREATE UNLOGGED TABLE gateway_inbox (
                gateway_id integer NOT NULL,
                arrived_at timestamptz NOT NULL DEFAULT now(),
                raw        bytea NOT NULL
            )
            SQL);
        $this->addSql('CREATE INDEX gateway_inbox_arrived_idx ON gateway_inbox (arrived_at)');
    }

    public function down(Schema $schema): void
    {
        $this->addSql('DROP TABLE gateway_inbox');
        $this->addSql('ALTER TABLE trap_readings_2024h1 SET LOGGED');
    }
}
