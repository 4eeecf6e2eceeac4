#!/bin/bash
# Mails the weekly report to the harbour master.
set -eu
cd "$(dirname "$0")/.."
: "${RECIPIENT:=harbour-master@harbor.example}"

{
    date '+Week %V of %G'
    psql -X -d harbor -f sql/weekly_report.sql
} | mail -s "Harbour: weekly report" "$RECIPIENT"
