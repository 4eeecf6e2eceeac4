<?php

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Str;

class AuditContext
{
    public function handle(Request $request, Closure $next)
    {
        $user = (string) optional($request->user())->id;

        DB::select("SELECT set_config('hivebook.user_id', ?, false)", [$user]);
        DB::select(
            "SELECT set_config('hivebook-web.request_id', ?, false)",
            [$request->header('X-Request-Id', (string) Str::uuid())]
        );

        return $next($request);
    }
}
