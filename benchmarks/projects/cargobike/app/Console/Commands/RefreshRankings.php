<?php

namespace App\Console\Commands;

use App\Services\RankingService;
use Illuminate\Console\Command;

class RefreshRankings extends Command
{
    protected $signature = 'rankings:refresh';

    protected $description = 'Refreshes the rankings of the public page';

    public function handle(RankingService $rankings): int
    {
        $rankings->refresh();
        $this->info('done');

        return self::SUCCESS;
    }
}
