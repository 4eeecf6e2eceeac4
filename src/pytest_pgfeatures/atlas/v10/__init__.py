"""Changes of PostgreSQL 10."""
