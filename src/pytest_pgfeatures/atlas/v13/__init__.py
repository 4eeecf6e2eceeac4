"""What PostgreSQL 13 changed."""
