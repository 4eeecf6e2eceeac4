"""Tools for developing this project. No wheel contains them; run them from a checkout: ``python -m devtools.NAME``."""
