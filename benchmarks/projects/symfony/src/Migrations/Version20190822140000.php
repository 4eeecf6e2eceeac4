<?php

declare(strict_types=1);

namespace App\Migrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20190822140000 extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql('CREATE TABLE reviews (id SERIAL NOT NULL, product_id INT NOT NULL, stars SMALLINT NOT NULL, text TEXT DEFAULT NULL, written_at TIMESTAMP(0) WITH TIME ZONE NOT NULL, PRIMARY KEY(id))');
        $this->addSql('CREATE INDEX IDX_REVIEWS_PRODUCT ON reviews (product_id)');
        $this->addSql('ALTER TABLE reviews ADD CONSTRAINT FK_REVIEWS_PRODUCT FOREIGN KEY (product_id) REFERENCES products (id) NOT DEFERRABLE INITIALLY IMMEDIATE');
        $this->addSql("UPDATE sellers SET (updated_at) = (now()) WHERE vat_id IS NULL");
        $this->addSql("UPDATE sellers SET (vat_id, updated_at) = ('', now()) WHERE vat_id IS NULL");
    }

    public function down(Schema $schema): void
    {
        $this->addSql('DROP TABLE reviews');
    }
}
