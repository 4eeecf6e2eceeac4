"""What only develops this project: it is in no wheel, and runs from a checkout with ``python -m devtools.NAME``."""
