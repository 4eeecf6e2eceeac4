<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class BookRepository
{
    private const PAGE = 'SELECT b.id, b.title, b.price FROM books b WHERE b.category_id = :category ORDER BY b.title ';

    public function __construct(private readonly Connection $connection)
    {
    }

    public function page(int $category, int $offset): array
    {
        return $this->connection->fetchAllAssociative(
            self::PAGE . 'LIMIT 25' . 'OFFSET :offset',
            ['category' => $category, 'offset' => $offset],
        );
    }

    public function byPublisher(string $publisher): array
    {
        $sql = "SELECT b.id, b.title
                  FROM books b
                 WHERE json_value(b.meta, '$.publisher', 'unknown') = :publisher
                 ORDER BY b.id";

        return $this->connection->fetchAllAssociative($sql, ['publisher' => $publisher]);
    }

    public function perYear(): array
    {
        return $this->connection->createQueryBuilder()
            ->select('extract(year FROM b.published_on) AS year', 'count(*) AS books')
            ->from('books', 'b')
            ->groupBy('extract(year FROM b.published_on)')
            ->fetchAllAssociative();
    }

    public function suggestions(): array
    {
        return $this->connection->fetchAllAssociative('SELECT id, title FROM books ORDER BY random() LIMIT 3');
    }
}
