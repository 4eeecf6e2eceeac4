<?php

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

class AuditController extends Controller
{
    public function index(Request $request): JsonResponse
    {
        $events = DB::select(
            'SELECT id, event, system_user, created_at
               FROM audit_events
              WHERE created_at >= ?
              ORDER BY id DESC
              LIMIT 200',
            [$request->date('since') ?? now()->subDay()]
        );

        return response()->json($events);
    }

    public function byUser(): JsonResponse
    {
        $rows = DB::table('audit_events')
            ->selectRaw('"system_user" AS name, count(*) AS events')
            ->groupBy('system_user')
            ->get();

        return response()->json($rows);
    }
}
