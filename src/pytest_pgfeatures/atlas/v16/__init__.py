"""Changes of PostgreSQL 16."""
