"""Tools for developing this project: not in any wheel; run ``python -m devtools.NAME`` in a checkout."""
