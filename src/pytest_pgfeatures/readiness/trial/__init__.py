"""Two servers with an application's schema loaded, and what they make of its statements."""
