"""Find out from servers which majors accept each statement of a script."""
