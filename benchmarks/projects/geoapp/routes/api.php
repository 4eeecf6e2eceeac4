<?php

use App\Repositories\PlaceRepository;
use App\Repositories\RouteRepository;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

Route::middleware('tenant')->group(function () {
    Route::get('/places', fn (Request $r, PlaceRepository $p) => $p->inside($r->query('polygon')));
    Route::get('/places/search', fn (Request $r, PlaceRepository $p) => $p->search($r->query('q', '')));
    Route::get('/routes', fn (Request $r, RouteRepository $p) => $p->byThemes((array) $r->query('theme')));
    Route::get('/routes/{code}', fn (string $code, RouteRepository $p) => $p->byCode($code));
});
