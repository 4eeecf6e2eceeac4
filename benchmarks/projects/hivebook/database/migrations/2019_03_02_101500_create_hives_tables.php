<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Schema;

class CreateHivesTables extends Migration
{
    public function up()
    {
        Schema::create('apiaries', function (Blueprint $table) {
            $table->bigIncrements('id');
            $table->foreignId('member_id')->constrained();
            $table->string('name', 120);
            $table->string('postcode', 10)->nullable();
        });

        DB::statement('ALTER TABLE apiaries ADD COLUMN IF NOT EXISTS location point');
        DB::statement('ALTER TABLE apiaries ADD COLUMN IF NOT EXISTS zone polygon');

        Schema::create('hives', function (Blueprint $table) {
            $table->bigIncrements('id');
            $table->foreignId('apiary_id')->constrained();
            $table->string('label', 40);
            $table->smallInteger('queen_year')->nullable();
            $table->integer('frames')->default(10);
        });
    }

    public function down()
    {
        Schema::dropIfExists('hives');
        Schema::dropIfExists('apiaries');
    }
}
