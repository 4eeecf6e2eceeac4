<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Place extends Model
{
    protected $table = 'geo.place';
    protected $primaryKey = 'place_id';
    public $timestamps = false;
    protected $fillable = ['name', 'kind', 'position', 'tags', 'description'];

    /** {a,b} of the server as a list */
    public function getTagsAttribute(string $value): array
    {
        return $value === '{}' ? [] : str_getcsv(trim($value, '{}'));
    }
}
