"""Suites written for pytest-postgresql: their process fixtures, on our servers."""
