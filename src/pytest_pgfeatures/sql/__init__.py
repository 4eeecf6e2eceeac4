"""SQL as text: tokens, and scripts as psql reads them. No server is needed."""
