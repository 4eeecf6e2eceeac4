"""What came out of a run: an item, where it ran, its outcome, its evidence. Plain values, for all reports."""
