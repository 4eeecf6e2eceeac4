"""Changes of PostgreSQL 13."""
