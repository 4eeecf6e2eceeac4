<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Log;

class PlaceRepository
{
    private const COLUMNS = 'place_id, name, kind, position[0] AS x, position[1] AS y';

    /** Amenities that the hiking map shows on its first layer, named as in OpenStreetMap. */
    private const AMENITIES = "to_tsquery('simple', 'drinking_water | public_toilets')";

    private const SIGHTS = "to_tsquery('simple', 'castle | viewpoint')";

    /** @return object[] */
    public function inside(string $polygon): array
    {
        return DB::select(
            'SELECT ' . self::COLUMNS . ' FROM geo.place '
            . 'WHERE position @ ?::polygon '
            . 'ORDER BY place_id LIMIT 500',
            [$polygon]
        );
    }

    public function amenities(): array
    {
        return DB::select('SELECT ' . self::COLUMNS . ' FROM geo.place WHERE search @@ ' . self::AMENITIES);
    }

    public function sights(): array
    {
        return DB::select('SELECT ' . self::COLUMNS . ' FROM geo.place WHERE search @@ ' . self::SIGHTS);
    }

    public function search(string $words): array
    {
        return DB::select(
            <<<'SQL'
            SELECT place_id, name, ts_rank(search, q) AS rank
              FROM geo.place, plainto_tsquery('simple', ?) AS q
             WHERE search @@ q
             ORDER BY rank DESC, place_id
             LIMIT 50
            SQL,
            [$words]
        );
    }

    /** The walks that the tourist office sells: the label is always spelt like this. */
    public function officeWalks(): array
    {
        return DB::select(
            <<<'SQL'
            SELECT place_id, name
              FROM geo.place
             WHERE to_tsvector('simple', description) @@ websearch_to_tsquery('simple', '"walk: sunday"')
            SQL
        );
    }

    public function guidedWalks(): array
    {
        return DB::select(
            <<<'SQL'
            SELECT place_id, name
              FROM geo.place
             WHERE to_tsvector('simple', description) @@ websearch_to_tsquery('simple', '"guided walk" -winter')
            SQL
        );
    }

    /** Words of the free attributes (opening hours, access, ...). */
    public function byAttribute(string $word): array
    {
        $vector = <<<'SQL'
            jsonb_to_tsvector('simple', attributes,
                              '["strins", "numeric"]')
            SQL;

        return DB::select('SELECT place_id, name FROM geo.place WHERE ' . $vector . " @@ plainto_tsquery('simple', ?)", [$word]);
    }

    public function byAttributeKey(string $key): array
    {
        return DB::select(
            "SELECT place_id FROM geo.place WHERE jsonb_to_tsvector('simple', attributes, '[\"key\"]') @@ plainto_tsquery('simple', ?)",
            [$key]
        );
    }

    public function withWebsite(): array
    {
        return DB::select("SELECT place_id FROM geo.place WHERE geo.json_exists(attributes, 'website')");
    }

    /** Descriptions in one line, for the export. */
    public function plainDescriptions(): array
    {
        return DB::select(
            <<<'SQL'
            SELECT place_id,
                   regexp_replace(description, '[\t ]+', ' ', 'gn') AS text,
                   regexp_replace(description, '\W+', '-', 'gn') AS anchor
              FROM geo.place
             WHERE description IS NOT NULL
            SQL
        );
    }

    public function anchors(): array
    {
        return DB::select("SELECT place_id, regexp_replace(name, '\\W+', '-', 'g') AS anchor FROM geo.place");
    }

    /** Reset of the demo: tags of the viewpoint layer. */
    public function resetViewpoints(): int
    {
        Log::info('tags of viewpoints are reset; array_to_tsvector of "outdoor,,view" follows');
        return DB::update(
            "UPDATE geo.place SET tag_vector = array_to_tsvector(string_to_array('outdoor,,view', ',')) "
            . "WHERE kind = 'viewpoint'"
        );
    }
}
