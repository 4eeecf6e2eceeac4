"""What PostgreSQL 15 brought."""
