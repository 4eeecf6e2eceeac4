"""Catalog of backups."""
