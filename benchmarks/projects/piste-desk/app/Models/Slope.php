<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsTo;

class Slope extends Model
{
    public $timestamps = false;

    protected $casts = ['is_open' => 'boolean', 'groomed_at' => 'datetime'];

    public function lift(): BelongsTo
    {
        return $this->belongsTo(Lift::class);
    }

    public function scopeStale(Builder $query): Builder
    {
        return $query->where('is_open', true)->whereRaw("groomed_at < now() - interval '1 day'");
    }
}
