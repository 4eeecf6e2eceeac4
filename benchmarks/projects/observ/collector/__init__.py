"""Collects what exporters can't: one row for each target and minute."""

__version__ = "2.4.1"
