"""What PostgreSQL 9.4 changed."""
