"""Two servers with an application's schema loaded, and their answers to its statements."""
