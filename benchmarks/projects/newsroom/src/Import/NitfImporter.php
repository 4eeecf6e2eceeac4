<?php

declare(strict_types=1);

namespace Newsroom\Import;

use Doctrine\DBAL\Connection;
use Psr\Log\LoggerInterface;

/** Reads what the agencies deliver; the root element of a delivery is <nitf>. */
final class NitfImporter
{
    public function __construct(
        private readonly Connection $db,
        private readonly LoggerInterface $logger,
    ) {
    }

    /** @return list<array{id: int, headline: ?string, agency_id: ?string}> */
    public function pending(string $agency): array
    {
        $sql = <<<SQL
            SELECT w.id,
                   (xpath('body/body.head/hedline/hl1/text()', w.nitf))[1]::text AS headline,
                   (xpath('/nitf/head/docdata/doc-id/@id-string', w.nitf))[1]::text AS agency_id
              FROM cms.wire_items w
             WHERE w.agency = :agency
               AND NOT EXISTS (SELECT 1 FROM cms.audit_log l WHERE l.action = 'wire:' || w.id)
             ORDER BY w.received_at
            SQL;

        $rows = $this->db->fetchAllAssociative($sql, ['agency' => $agency]);
        $this->logger->info('SELECT of {n} items, nothing is dropped if exists', ['n' => \count($rows)]);

        return $rows;
    }

    public function withBody(): array
    {
        return $this->db->fetchFirstColumn(
            "SELECT w.id FROM cms.wire_items w WHERE xpath_exists('//body.content/p', w.nitf)"
        );
    }
}
