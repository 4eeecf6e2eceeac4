"""Read an application's files. Each module reads one kind of input."""
