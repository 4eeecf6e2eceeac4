"""What of an upgrade concerns an application: its schema, queries, configuration and scripts, with evidence."""
