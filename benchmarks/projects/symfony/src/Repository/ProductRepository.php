<?php

declare(strict_types=1);

namespace App\Repository;

use Doctrine\DBAL\Connection;

final class ProductRepository
{
    private $connection;

    public function __construct(Connection $connection)
    {
        $this->connection = $connection;
    }

    public function tagCloud(int $seller): array
    {
        $sql = 'SELECT t.tag, count(*) AS products FROM ('
            . "SELECT p.id, CASE WHEN p.tags = '{}' THEN 'untagged' ELSE unnest(p.tags) END AS tag"
            . ' FROM products p WHERE p.seller_id = ?'
            . ') t GROUP BY t.tag';

        return $this->connection->fetchAllAssociative($sql, [$seller]);
    }

    public function tags(int $product): array
    {
        return $this->connection->fetchFirstColumn('SELECT unnest(tags) FROM products WHERE id = ?', [$product]);
    }

    public function recent(int $limit): array
    {
        return $this->connection->createQueryBuilder()
            ->select('p.id', 'p.title', 'p.price')
            ->from('products', 'p')
            ->orderBy('p.id', 'DESC')
            ->setMaxResults($limit)
            ->execute()
            ->fetchAllAssociative();
    }
}
