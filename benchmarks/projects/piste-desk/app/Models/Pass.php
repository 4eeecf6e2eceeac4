<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

class Pass extends Model
{
    protected $table = 'passes';

    public $timestamps = false;

    protected $casts = ['valid_from' => 'date', 'valid_to' => 'date'];

    public function scopeValidOn(Builder $query, string $day): Builder
    {
        return $query->where('status', 'active')->whereRaw('?::date BETWEEN valid_from AND valid_to', [$day]);
    }
}
