"""Changes of PostgreSQL 12."""
