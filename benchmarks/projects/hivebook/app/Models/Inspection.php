<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Inspection extends Model
{
    protected $casts = ['inspected_at' => 'datetime'];

    public $timestamps = false;

    public function hive()
    {
        return $this->belongsTo(Hive::class);
    }
}
