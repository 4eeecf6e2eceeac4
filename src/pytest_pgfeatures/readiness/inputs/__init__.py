"""Read an application's files: one module a kind of input."""
