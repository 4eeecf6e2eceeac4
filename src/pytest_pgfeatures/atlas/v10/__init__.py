"""What PostgreSQL 10 changed."""
