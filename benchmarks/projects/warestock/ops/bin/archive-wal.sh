#!/bin/sh
# archive_command: %p %f
test ! -f "/wal-archive/$2" && cp "$1" "/wal-archive/$2"
