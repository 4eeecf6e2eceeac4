from sqlalchemy import Column, Date, DateTime, Integer, MetaData, Numeric, Table, Text

metadata = MetaData()

stations = Table(
    "stations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("contact", Text),
    Column("altitude", Integer),
    Column("notes", Text),
    Column("since", Date),
)

readings = Table(
    "readings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("station_id", Integer, nullable=False),
    Column("observed_at", DateTime(timezone=True), nullable=False),
    Column("temperature", Numeric(5, 1)),
    Column("humidity", Numeric(4, 1)),
    Column("pressure", Numeric(6, 1)),
    Column("wind_dir", Integer),
    Column("wind_speed", Numeric(5, 1)),
    Column("quality", Text),
)

packets = Table(
    "packets",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("station_code", Text, nullable=False),
    Column("received_at", DateTime(timezone=True)),
    Column("reltime", Integer),
    Column("pressure", Text),
    Column("rain", Text),
)
