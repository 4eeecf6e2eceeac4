"""An application's own test suite, run on a server of each version: its statements, and their outcomes."""
