<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

class DamageReport extends Model
{
    public $timestamps = false;

    protected $table = 'damage_reports';

    protected $casts = ['details' => 'array', 'muted' => 'boolean'];

    public function scopeForPart(Builder $query, string $part): Builder
    {
        return $query->whereRaw("public.json_value(damage_reports.details, 'part') = ?", [$part]);
    }

    public function scopeWithText(Builder $query): Builder
    {
        return $query->whereRaw("damage_reports.details ->> 'text' IS NOT NULL");
    }

    public function scopeOpen(Builder $query): Builder
    {
        return $query->whereRaw('NOT damage_reports.muted AND NOT damage_reports.ignore');
    }
}
