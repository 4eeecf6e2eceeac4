<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

class Hive extends Model
{
    protected $fillable = ['apiary_id', 'label', 'queen_year', 'frames'];

    public $timestamps = false;

    public function scopeTroubled(Builder $query): Builder
    {
        return $query->whereHas('inspections', fn ($q) => $q->where('mites', '>', 10));
    }

    public function inspections()
    {
        return $this->hasMany(Inspection::class);
    }
}
