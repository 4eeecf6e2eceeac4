"""What users' machines do to us, done on purpose and counted: ``python -m torture``."""
