<?php
namespace App;

final class Page
{
    private const COLUMNS = 'id, slug';

    public function __construct(private \PDO $pdo) {}

    public function constraints(): array
    {
        $sql = <<<SQL
            SELECT conname, consrc
              FROM pg_constraint
             WHERE conrelid = 'page'::regclass
            SQL;
        return $this->pdo->query($sql)->fetchAll();
    }

    public function defaults(): array
    {
        return $this->pdo->query(
            'SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) AS adsrc '
            . 'FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum'
        )->fetchAll();
    }

    public function ids(): array
    {
        $rows = $this->pdo->query('SELECT ' . self::COLUMNS . ' FROM page WHERE id = 7')->fetchAll();
        $mysql = new \mysqli('shop');
        $mysql->query('SELECT consrc FROM pg_constraint');
        throw new \RuntimeException('SELECT consrc FROM pg_constraint is gone');
    }

    public function visits(): array
    {
    }

    public function matches(string $q): array
    {
        $st = $this->pdo->prepare("SELECT substring(slug from '%#\"a_c#\"%' for '#') FROM page");
        $st = $this->pdo->prepare("SELECT substring(slug from 'a.c') FROM page");
        $st = $this->pdo->prepare("SELECT substring(slug, 1, 3) FROM page");
        return [];
    }

    public function routines(): void
    {
        $this->pdo->exec('DROP FUNCTION IF EXISTS page_words()');
        $this->pdo->exec("SELECT pg_create_logical_replication_slot('a', 'test_decoding')");
        $this->pdo->exec("SELECT table_type FROM information_schema.tables WHERE table_type = 'FOREIGN TABLE'");
        $this->pdo->exec("SELECT table_type FROM information_schema.tables WHERE table_type = 'BASE TABLE'");
        $this->pdo->exec("SELECT proname FROM pg_proc WHERE NOT proiswindow");
        $this->pdo->exec("SELECT proname FROM pg_proc WHERE prosecdef");
    }
}
