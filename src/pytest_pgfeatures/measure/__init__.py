"""Experiments: measured claims of documents, measured again on real servers.

An experiment compares sides: versions, or methods on one version. They take turns within each round. Their
ratio with its interval is judged. Absolute times are shown, and never judged.
"""
