"""The measurements of the documents, as experiments: one module or more for each document."""
