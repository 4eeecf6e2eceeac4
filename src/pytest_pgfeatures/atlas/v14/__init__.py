"""Changes of PostgreSQL 14."""
