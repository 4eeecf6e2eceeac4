<?php

declare(strict_types=1);

namespace DoctrineMigrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20240305101000 extends AbstractMigration
{
    public function getDescription(): string
    {
        return 'Address plan of the customers\' networks';
    }

    public function up(Schema $schema): void
    {
        $this->addSql(<<<'SQL'
            CREATE TABLE address_plan (
                site_id integer NOT NULL REFERENCES sites (id),
                first   inet NOT NULL,
                valid   daterange NOT NULL,
                EXCLUDE USING gist (
                    site_id WITH =,
                    first inet_ops WITH &&,
                    valid WITH &&
                )
            )
            SQL);
        $this->addSql("COMMENT ON TABLE address_plan IS 'no radius server here, gateways have fixed addresses'");
        $this->addSql("INSERT INTO doctrine_migration_versions (version) SELECT 'address_plan' WHERE false");
    }

    public function down(Schema $schema): void
    {
        $this->addSql('DROP TABLE IF EXISTS address_plan');
    }
}
