#!/bin/bash
# Old WMS in Kolding
set -eu
mysql -h kolding-wms -N -e "SELECT system_user(), now()" wms
mysql -h kolding-wms -N -e "SELECT sku, qty FROM stok WHERE lager = 4" wms > /tmp/kolding.tsv
