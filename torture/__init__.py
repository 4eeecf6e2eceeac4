"""Reproduce the failures of users' machines, many times, and count what goes wrong: ``python -m torture``."""
