"""The stages settings, schema, queries and incompatibilities."""
