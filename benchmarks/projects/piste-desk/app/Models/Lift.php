<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\HasMany;
use Illuminate\Support\Facades\DB;

class Lift extends Model
{
    protected $fillable = ['code', 'name', 'kind', 'capacity_per_hour', 'features'];

    protected $casts = ['features' => 'array'];

    public function slopes(): HasMany
    {
        return $this->hasMany(Slope::class);
    }

    /** Codes of the lifts on the glacier begin with G and a number. */
    public function scopeGlacier(Builder $query): Builder
    {
        return $query->whereRaw("code ~ '^G[0-9]+'");
    }

    public function addTag(string $tag): int
    {
        return DB::update('UPDATE lifts SET tags = array_append(tags, ?) WHERE id = ?', [$tag, $this->id]);
    }
}
