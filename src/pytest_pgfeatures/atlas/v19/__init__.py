"""Changes of PostgreSQL 19."""
