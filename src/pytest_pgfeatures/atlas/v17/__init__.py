"""What PostgreSQL 17 changed."""
