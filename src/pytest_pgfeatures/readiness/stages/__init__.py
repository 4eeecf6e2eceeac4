"""What is looked at, one module a stage: settings, schema, queries."""
