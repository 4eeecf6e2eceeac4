import os

from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

engine = create_engine(
    os.environ.get("DATABASE_URL", "postgresql+psycopg2:///ferry"),
    pool_size=10,
    connect_args={"application_name": "ferry-web"},
)
Session = sessionmaker(bind=engine)
