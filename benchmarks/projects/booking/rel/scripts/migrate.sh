#!/usr/bin/env bash
set -euo pipefail

pg_isready -q
bin/booking eval "Booking.Release.migrate()"
echo "if this hangs, look for wait_event_type BufferPin in pg_stat_activity"
