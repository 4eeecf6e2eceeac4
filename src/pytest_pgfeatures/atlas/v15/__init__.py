"""Changes of PostgreSQL 15."""
