"""Shows results in the terminal and as JSON."""
