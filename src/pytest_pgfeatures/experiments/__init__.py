"""Experiments that repeat the documents' measurements: one or more modules for each document."""
