"""What the documents measured, as experiments: one module or more for each document."""
