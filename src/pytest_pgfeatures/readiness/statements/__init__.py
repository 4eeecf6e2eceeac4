"""A statement as its tokens: words, calls, subqueries, and the SQL within it."""
