"""What servers answer to one query, and how their answers differ.

| module | |
|---|---|
| ``model`` | what one server sent |
| ``ask`` | a query, asked on a connection |
| ``order`` | how much of the rows' order a query determines |
| ``difference`` | two answers, compared |
| ``compare`` | the same query on several servers |
"""
