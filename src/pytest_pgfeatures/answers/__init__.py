"""Servers' answers to a query, and the differences between them.

| module | |
|---|---|
| ``model`` | the answer of one server |
| ``ask`` | runs a query on a connection |
| ``order`` | how far a query determines the order of its rows |
| ``difference`` | compares two answers |
| ``side_by_side`` | shows two answers side by side |
| ``compare`` | runs a query on several servers and compares their answers |
"""
