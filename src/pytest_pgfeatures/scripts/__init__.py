"""Load scripts and dumps into a database, without psql.

| module | |
|---|---|
| ``source`` | the SQL text of a script or dump, in any of pg_dump's formats |
| ``archive`` | dumps that pg_restore reads |
| ``steps`` | a script as the steps that psql would take |
| ``meta_commands`` | what psql's commands say, and what they do to the statements after them |
| ``load`` | runs the steps |
| ``migrations`` | the files of a directory, in the order in which they are applied |
| ``privileges`` | runs untrusted statements as a role that is no superuser |
| ``icu`` | installs for statements that need ICU |
"""
