<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class CategoryRepository
{
    public function __construct(private readonly Connection $connection)
    {
    }

    public function tree(): array
    {
        return $this->connection->fetchAllAssociative(<<<'SQL'
            WITH RECURSIVE tree AS (
                SELECT id, parent, name, level
                  FROM categories
                 WHERE level = 0
                UNION ALL
                SELECT c.id, c.parent, c.name, c.level
                  FROM categories c
                  JOIN tree t ON c.parent = t.id
            )
            SELECT * FROM tree ORDER BY level, name
            SQL);
    }

    public function rename(int $id, string $name): void
    {
        $this->connection->update('categories', ['name' => $name], ['id' => $id]);
    }
}
