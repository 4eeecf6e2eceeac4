"""Changes of PostgreSQL 17."""
