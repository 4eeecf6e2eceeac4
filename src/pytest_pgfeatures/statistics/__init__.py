"""The statistics of a production database: exported, kept in a file, and put in place on other servers.

| module | |
|---|---|
| ``model`` | the statistics of a database |
| ``reading``, ``columns``, ``extended``, ``schema`` | read them from a server |
| ``document`` | the file |
| ``values`` | leaves out values that may be people's data |
| ``transplant`` | puts them in place on a server |
| ``differences`` | where schemas differ |
| ``placing``, ``types``, ``extended_placing`` | the rows of its catalogs |
| ``metapages`` | the first pages of indexes, from which the planner reads numbers |
| ``sizes``, ``btree``, ``checksums`` | the sizes of its files, and the heights of its B-trees |
"""
