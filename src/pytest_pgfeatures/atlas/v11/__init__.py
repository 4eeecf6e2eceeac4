"""What PostgreSQL 11 changed."""
