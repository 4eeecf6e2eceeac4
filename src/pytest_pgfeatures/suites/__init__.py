"""Provides our servers to the process fixtures of suites written for pytest-postgresql."""
