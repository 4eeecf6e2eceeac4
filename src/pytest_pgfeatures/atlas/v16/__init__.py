"""What PostgreSQL 16 changed."""
