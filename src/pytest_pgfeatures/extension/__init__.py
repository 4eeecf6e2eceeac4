"""Extensions, on every major: built, installed, created, updated, tested, dumped, upgraded and dropped."""
