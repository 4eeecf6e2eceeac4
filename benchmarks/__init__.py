"""Benchmarks against other tools or lower bounds in the same run: ``make benchmarks``, ``docs/benchmarks.md``."""
