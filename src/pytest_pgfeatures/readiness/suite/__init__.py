"""An application's own test suite, run on a server of each version: what it sends, and what comes of it."""
