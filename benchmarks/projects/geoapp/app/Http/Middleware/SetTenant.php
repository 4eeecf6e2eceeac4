<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class SetTenant
{
    public function handle(Request $request, Closure $next)
    {
        $tenant = $request->header('X-Tenant', 'public');
        DB::select("SELECT set_config('geo.tenant', ?, false)", [$tenant]);

        // read by the log collector
        DB::select("SELECT set_config('geo-app.request', ?, false)", [$request->fingerprint()]);

        return $next($request);
    }
}
