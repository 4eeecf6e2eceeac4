#!/bin/bash
# Hits by hour of the customers' WordPress sites, from MySQL, for hosting.traffic
set -eu
for host in web1 web2 web3; do
    mysql -h "$host" -N -e "SELECT EXTRACT(HOUR FROM at), COUNT(*) FROM stats.hit GROUP BY 1" >> "/var/lib/kronhost/$host.tsv"
done
