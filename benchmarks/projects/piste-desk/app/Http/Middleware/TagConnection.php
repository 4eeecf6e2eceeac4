<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

/**
 * Tells the database who works, for the triggers and the log.
 */
class TagConnection
{
    public function handle(Request $request, Closure $next)
    {
        $till = $request->header('piste-desk.till', 'web');

        DB::select("SELECT set_config('piste_desk.till', ?, false)", [$till]);

        return $next($request);
    }
}
