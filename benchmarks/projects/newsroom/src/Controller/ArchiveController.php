<?php

declare(strict_types=1);

namespace Newsroom\Controller;

use Newsroom\Repository\ArticleRepository;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\Routing\Annotation\Route;

final class ArchiveController extends AbstractController
{
    public function __construct(private readonly ArticleRepository $articles)
    {
    }

    #[Route('/archive/{serial}/parts', methods: ['GET'])]
    public function parts(string $serial): JsonResponse
    {
        return $this->json($this->articles->parts($serial));
    }

    #[Route('/archive/years', methods: ['GET'])]
    public function years(): JsonResponse
    {
        return $this->json($this->articles->byYear());
    }

    #[Route('/archive/corporate', methods: ['GET'])]
    public function corporate(): JsonResponse
    {
        return $this->json($this->articles->corporate(50));
    }
}
