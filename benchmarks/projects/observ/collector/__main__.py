import logging
import sys
import time

import psycopg

from collector import activity, databases, db

log = logging.getLogger("collector")


def once(run):
    for each in db.targets():
        try:
            with db.target(each["dsn"], run) as connection:
                activity.write_sessions(connection)
                db.store(each["id"], "oldest_transaction", activity.oldest(connection))
                for name, value in activity.checkpoints(connection).items():
                    db.store(each["id"], f"checkpoints_{name}", value)
                for row in databases.sizes(connection):
                    db.store(each["id"], f"bytes_{row['datname']}", row["bytes"])
                log.info("%s: %d databases", each["name"], len(databases.user_databases(connection)))
        except psycopg.OperationalError as error:
            log.warning("%s: %s", each["name"], error)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    run = int(time.time())
    while True:
        once(run)
        run += 60
        time.sleep(max(0, run - time.time()))
