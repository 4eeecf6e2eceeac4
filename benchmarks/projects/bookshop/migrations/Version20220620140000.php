<?php

declare(strict_types=1);

namespace DoctrineMigrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20220620140000 extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql('CREATE ROLE bookshop_web LOGIN');
        $this->addSql("CREATE ROLE bookshop_reports LOGIN PASSWORD 'md54c7a8f3b2d1e09a65f7b8c9d0e1f2a3b'");
        $this->addSql('GRANT SELECT ON orders, customers, books TO bookshop_reports');
    }

    public function down(Schema $schema): void
    {
        $this->addSql('DROP OWNED BY bookshop_reports');
        $this->addSql('DROP ROLE bookshop_reports');
    }
}
