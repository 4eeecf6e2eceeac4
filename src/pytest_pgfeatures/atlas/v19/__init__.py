"""What PostgreSQL 19 changed."""
