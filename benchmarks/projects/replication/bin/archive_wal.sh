#!/bin/bash
set -euo pipefail
. "$(dirname "$0")/lib.sh"
test ! -f "$ARCHIVE/$2" || die "segment $2 exists"
cp "$1" "$ARCHIVE/.$2.part"
sync "$ARCHIVE/.$2.part"
mv "$ARCHIVE/.$2.part" "$ARCHIVE/$2"
