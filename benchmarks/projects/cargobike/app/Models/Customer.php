<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Customer extends Model
{
    public $timestamps = false;

    protected $table = 'customers';

    protected $fillable = ['name, email, phone, member_since, notes'];
}
