"""What PostgreSQL 12 changed."""
