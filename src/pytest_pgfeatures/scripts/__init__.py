"""Scripts and dumps loaded into a database: what psql and pg_dump write, without psql.

| module | |
|---|---|
| ``source`` | the text of a file, whatever pg_dump wrote it as |
| ``archive`` | dumps that pg_restore reads |
| ``steps`` | a script as the steps that psql would take |
| ``load`` | the steps, taken |
"""
