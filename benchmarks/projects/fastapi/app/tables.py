from sqlalchemy import BigInteger, Boolean, Column, DateTime, ForeignKey, Integer, MetaData, Numeric, Table, Text
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData()

depots = Table(
    "depots",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
)

parcels = Table(
    "parcels",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("tracking_code", Text, nullable=False, unique=True),
    Column("depot_id", Integer, ForeignKey("depots.id"), nullable=False),
    Column("state", Text, nullable=False),
    Column("weight_kg", Numeric(8, 3)),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("delivered_at", DateTime(timezone=True)),
    Column("payload", JSONB, nullable=False),
)

scans = Table(
    "scans",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("parcel_id", BigInteger, ForeignKey("parcels.id"), nullable=False),
    Column("scanned_at", DateTime(timezone=True), nullable=False),
    Column("place", Text, nullable=False),
    Column("is_final", Boolean, nullable=False),
)
