"""Changes of PostgreSQL 11."""
