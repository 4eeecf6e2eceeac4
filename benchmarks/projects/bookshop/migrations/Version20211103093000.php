<?php

declare(strict_types=1);

namespace DoctrineMigrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20211103093000 extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql(
            'CREATE UNLOGGED TABLE page_views (viewed_at TIMESTAMP NOT NULL, path TEXT NOT NULL, book_id BIGINT)'
            . ' PARTITION BY RANGE (viewed_at)'
        );
        $this->addSql("CREATE TABLE page_views_2022 PARTITION OF page_views FOR VALUES FROM ('2022-01-01') TO ('2023-01-01')");
        $this->addSql('COMMENT ON TABLE page_views IS \'cleared by the nightly job\'');
    }

    public function down(Schema $schema): void
    {
        $this->addSql('DROP TABLE page_views');
    }
}
