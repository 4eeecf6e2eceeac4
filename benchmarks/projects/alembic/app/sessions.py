from sqlalchemy import create_engine, text

engine = create_engine("postgresql+psycopg://app@db/app")


def parallel(connection, on):
    connection.execute(text("SET force_parallel_mode = on"))
    connection.execute(text("SET max_parallel_workers_per_gather = 4"))
    connection.execute(text("RESET transaction_isolation"))
    connection.execute(text("RESET default_transaction_isolation"))


def create_login(connection, name):
    connection.execute(text("CREATE ROLE auditor LOGIN PASSWORD 'md5a3556571e93b0d20722ba62be61e8c2d'"))
    connection.execute(text("CREATE ROLE viewer NOLOGIN"))
    connection.execute(text("COMMENT ON ROLE viewer IS 'md5a3556571e93b0d20722ba62be61e8c2d'"))
