"""What PostgreSQL 14 changed."""
