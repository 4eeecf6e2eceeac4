"""Run any command once per version, with a fresh server, for ``pgfeatures run``."""
