"""Load scripts and dumps into a database, without psql.

| module | |
|---|---|
| ``source`` | the SQL text of a script or dump, in any of pg_dump's formats |
| ``archive`` | dumps that pg_restore reads |
| ``steps`` | a script as the steps that psql would take |
| ``load`` | runs the steps |
"""
