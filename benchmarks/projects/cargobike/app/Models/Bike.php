<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Bike extends Model
{
    public $timestamps = false;

    protected $table = 'bikes';

    protected $fillable = ['model_id, station_id, code, frame_number, status, attributes'];
}
