"""How results are shown: in the terminal and as JSON."""
