<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Rental extends Model
{
    public $timestamps = false;

    protected $table = 'rentals';

    protected $fillable = ['bike_id, customer_id, status, started_at, ended_at, start_station_id, end_station_id, price'];
}
