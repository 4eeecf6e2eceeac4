<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

class AvalancheZone extends Model
{
    public $timestamps = false;

    protected $fillable = ['name', 'outline', 'danger_level'];

    /** Zones in which a position lies. */
    public function scopeAround(Builder $query, float $x, float $y): Builder
    {
        return $query->whereRaw('outline ~ point(?, ?)', [$x, $y]);
    }

    /** Zones that lie within a rectangle of the map. */
    public function scopeWithin(Builder $query, string $box): Builder
    {
        return $query->whereRaw('outline <@ polygon(?::box)', [$box]);
    }
}
