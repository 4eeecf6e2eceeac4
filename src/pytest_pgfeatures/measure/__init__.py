"""Experiments: measured claims of documents, measured again on real servers.

An experiment compares sides: versions, or methods on one version. They take turns within each round, and what
counts is their ratio with its interval. Absolute times are shown, and never judged.
"""
