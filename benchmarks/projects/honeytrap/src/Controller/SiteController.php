<?php

declare(strict_types=1);

namespace App\Controller;

use App\Repository\TrapRepository;
use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\Routing\Annotation\Route;

final class SiteController extends AbstractController
{
    #[Route('/sites/{id}', methods: ['GET'])]
    public function show(int $id, Connection $connection, TrapRepository $traps): JsonResponse
    {
        $site = $connection->fetchAssociative(
            'SELECT s.id, s.name, c.name AS customer, s.street, s.town
               FROM sites s
               JOIN customers c ON c.id = s.customer_id
              WHERE s.id = ?',
            [$id]
        );

        return $this->json(['site' => $site, 'traps' => $traps->ofSite($id)]);
    }

    #[Route('/sites/{id}/pressure', methods: ['GET'])]
    public function pressure(int $id, Connection $connection): JsonResponse
    {
        return $this->json($connection->fetchAllAssociative(
            'SELECT p.species_id, s.name, p.caught, p.level
               FROM site_pressure p
               JOIN species s ON s.id = p.species_id
              WHERE p.site_id = ?
              ORDER BY p.level DESC, s.name',
            [$id]
        ));
    }
}
