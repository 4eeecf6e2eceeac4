"""Changes of PostgreSQL 9.4."""
