"""The atlas: every documented behavior; one folder per major, one module per area.

A folder has the behaviors of that major's documents. A document on one major also tells what others changed,
such as the report on 16, which shows an option that 18 made the default. Such a behavior stays beside those
that share its document and its setup. Its id names the major that brought the change.
"""
