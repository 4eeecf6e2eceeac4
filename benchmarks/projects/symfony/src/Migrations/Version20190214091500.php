<?php

declare(strict_types=1);

namespace App\Migrations;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version20190214091500 extends AbstractMigration
{
    public function getDescription(): string
    {
        return 'Slugs for the titles of products';
    }

    public function up(Schema $schema): void
    {
        $this->addSql("CREATE FUNCTION slugify(title text) RETURNS text AS $$ SELECT lower(regexp_replace(title, '[^A-Za-z0-9]+', '-', 'g')) $$ LANGUAGE sql IMMUTABLE STRICT");
        $this->addSql(<<<'SQL'
            CREATE FUNCTION seller_label(seller text, vat text) RETURNS text AS $$
                SELECT seller || ' (' || vat || ')'
            $$ LANGUAGE sql
            WITH (isStrict)
SQL
        );
        $this->addSql('ALTER TABLE products ADD slug text');
        $this->addSql('UPDATE products SET slug = slugify(title)');
        $this->addSql('CREATE INDEX products_slug ON products (slug)');
    }

    public function down(Schema $schema): void
    {
        $this->addSql('ALTER TABLE products DROP slug');
        $this->addSql('DROP FUNCTION seller_label(text, text)');
        $this->addSql('DROP FUNCTION slugify(text)');
    }
}
