"""Which majors accept each statement of a script, asked of their servers."""
