"""Measurements, each paired with a peer or a floor in the same run: ``make benchmarks``, ``docs/benchmarks.md``."""
