"""The statistics of a production database: exported, kept in a file, and put in place on other servers.

| module | |
|---|---|
| ``model`` | the statistics of a database |
| ``session`` | the connection to production |
| ``own`` | PostgreSQL's own objects, whose code may run during an export |
| ``reading``, ``columns``, ``ends``, ``extended``, ``schema`` | read them from a server |
| ``document`` | the file |
| ``values`` | leaves out values that may be people's data |
| ``transplant`` | puts them in place on a server |
| ``locales`` | the locale of its database |
| ``differences`` | where schemas differ |
| ``placing``, ``types``, ``extended_placing``, ``combinations`` | the rows of its catalogs |
| ``entries`` | the entries of its B-trees: the smallest and the largest values |
| ``metapages`` | the first pages of indexes, from which the planner reads numbers |
| ``sizes``, ``btree``, ``checksums`` | the sizes of its files, and the heights of its B-trees |
"""
