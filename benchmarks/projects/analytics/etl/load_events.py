"""Loads a file of the tracker (JSON lines) into the table of its year."""
import json
import sys

from etl.db import warehouse

BOTS = """
    DELETE FROM warehouse.web_hits
     WHERE referrer SIMILAR TO %(pattern)s ESCAPE NULL
       AND hit_at >= %(since)s::timestamptz
"""


def copy(connection, year, lines):
    table = f"warehouse.web_hits_{int(year)}"
    with connection.cursor() as cursor:
        with cursor.copy(f"COPY {table} (hit_at, visitor, path, referrer, payload) FROM STDIN") as out:
            for line in lines:
                hit = json.loads(line)
                out.write_row((hit["at"], hit["visitor"], hit["path"], hit.get("referrer"), json.dumps(hit)))
        cursor.execute(f"ANALYZE {table}")


def main(path):
    year = path.rsplit("/", 1)[-1][:4]
    with warehouse() as connection, open(path, encoding="utf-8") as lines:
        copy(connection, year, lines)
        # no escape character: the tracker writes backslashes
        connection.execute(BOTS, {"pattern": "%(bot|crawler|spider).%", "since": f"{year}-01-01"})


if __name__ == "__main__":
    main(sys.argv[1])
