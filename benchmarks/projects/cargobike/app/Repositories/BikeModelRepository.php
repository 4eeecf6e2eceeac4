<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class BikeModelRepository
{
    /** Features as the app shows them: each once, in order. */
    public function featureLists(): array
    {
        return DB::select(<<<'SQL'
            SELECT bike_models.id,
                   bike_models.name,
                   array_to_string(array_sort(bike_models.features), ', ') AS features
              FROM bike_models
             ORDER BY bike_models.id
        SQL);
    }

    public function featureCounts(): array
    {
        return DB::select(<<<'SQL'
            SELECT bike_models.id,
                   cardinality(public.array_sort(bike_models.features)) AS different,
                   cardinality(array_remove(bike_models.features, 'flatbed')) AS others
              FROM bike_models
             ORDER BY bike_models.id
        SQL);
    }

    /** Words of the descriptions, for the tag cloud of the landing page. */
    public function tagCloud(): array
    {
        return DB::select(<<<'SQL'
            SELECT word, count(*) AS models
              FROM bike_models,
                   unnest(tsvector_to_array(to_tsvector('german', bike_models.description))) AS word
             GROUP BY word
             ORDER BY word
        SQL);
    }

    public function makersWords(): array
    {
        return DB::select(<<<'SQL'
            SELECT DISTINCT word
              FROM bike_models,
                   unnest(tsvector_to_array(to_tsvector('german', bike_models.maker))) AS word
             ORDER BY word
        SQL);
    }

    public function search(string $words): array
    {
        return DB::table('bike_models')
            ->selectRaw('bike_models.id, bike_models.name')
            ->whereRaw("to_tsvector('simple', bike_models.description) @@ plainto_tsquery('simple', ?)", [$words])
            ->orderBy('bike_models.id')
            ->get()
            ->all();
    }

    public function byVolume(int $litres): array
    {
        return DB::select('SELECT id, name, volume_l FROM bike_models WHERE volume_l >= ? ORDER BY volume_l, id', [$litres]);
    }
}
