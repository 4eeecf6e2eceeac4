<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

class Customer extends Model
{
    public function scopeDormant(Builder $query): Builder
    {
        return $query->whereRaw("last_seen_at < now() - interval '1.3 years'");
    }

    public function scopeForgotten(Builder $query): Builder
    {
        return $query->whereRaw("last_seen_at < now() - interval '2.5 years'");
    }

    public function scopeWithAvatar(Builder $query): Builder
    {
        return $query->select('id', 'name')->selectRaw('md5(lower(email)) AS avatar');
    }
}
