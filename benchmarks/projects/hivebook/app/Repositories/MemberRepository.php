<?php

namespace App\Repositories;

use Illuminate\Support\Facades\DB;

class MemberRepository
{
    public function interests(): array
    {
        return DB::select('
            SELECT id, name, public.json_array(interests) AS interests
              FROM members
             WHERE interests IS NOT NULL
             ORDER BY id
        ');
    }

    public function export(): array
    {
        return DB::select("
            SELECT json_object(ARRAY['name', 'phone'], ARRAY[name::text, plain_phone(phone)]) AS row
              FROM members
             ORDER BY id
        ");
    }

    public function card(int $id): ?object
    {
        return DB::selectOne("
            SELECT name || chr(10) || coalesce(phone, '-') AS card
              FROM members
             WHERE id = ?
        ", [$id]);
    }

    public function vector(): array
    {
        return DB::select("
            SELECT id, array_to_tsvector(array_remove(string_to_array(coalesce(interests, ''), ', '), '')) AS words
              FROM members
             ORDER BY id
        ");
    }
}
