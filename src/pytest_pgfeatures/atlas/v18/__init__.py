"""What PostgreSQL 18 changed."""
