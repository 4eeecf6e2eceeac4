"""Changes of PostgreSQL 18."""
