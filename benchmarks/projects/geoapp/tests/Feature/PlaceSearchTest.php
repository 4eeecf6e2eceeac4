<?php

namespace Tests\Feature;

use App\Repositories\PlaceRepository;
use PHPUnit\Framework\TestCase;

class PlaceSearchTest extends TestCase
{
    public function testColumnsAreListed(): void
    {
        $columns = (new \ReflectionClass(PlaceRepository::class))->getConstant('COLUMNS');
        self::assertStringContainsString('position[0]', $columns);
    }
}
