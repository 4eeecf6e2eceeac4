-- included by the scripts that have to know the server
SELECT current_setting('server_version_num')::int >= 100000 AS is_pg10,
       current_setting('server_version_num')::int >= 120000 AS is_pg12,
       current_setting('server_version_num')::int >= 130000 AS is_pg13 \gset
