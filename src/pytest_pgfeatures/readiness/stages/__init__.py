"""The stages, one module each: settings, schema, queries, incompatibilities, results, upgrade."""
