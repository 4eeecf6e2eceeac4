"""Find what an upgrade changes for an application's schema, queries, configuration and scripts, with evidence."""
