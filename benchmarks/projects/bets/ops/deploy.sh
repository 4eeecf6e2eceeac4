#!/bin/sh
set -e
sbt -batch assembly
flyway -url=jdbc:postgresql://db.internal/bets migrate
echo "done; if the standby lags, look at pg_xlog on the primary"
