"""Any command, once per version, with a fresh server: what ``pgfeatures run`` does."""
