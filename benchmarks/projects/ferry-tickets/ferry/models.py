from sqlalchemy import Column, Date, DateTime, Float, ForeignKey, Integer, Numeric, String, Text, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import declarative_base, relationship

Base = declarative_base()


class Vessel(Base):
    __tablename__ = "vessel"

    id = Column(Integer, primary_key=True)
    name = Column(Text, nullable=False, unique=True)
    call_sign = Column(Text, nullable=False)
    seats = Column(Integer, nullable=False)
    deck_cm = Column(Integer, nullable=False)


class Sailing(Base):
    __tablename__ = "sailing"

    id = Column(Integer, primary_key=True)
    vessel_id = Column(ForeignKey("vessel.id"), nullable=False)
    from_port = Column(String(3), nullable=False)
    to_port = Column(String(3), nullable=False)
    departs_at = Column(DateTime(timezone=True), nullable=False)
    departed_at = Column(DateTime(timezone=True))
    arrived_at = Column(DateTime(timezone=True))
    seats_free = Column(Integer, nullable=False)

    vessel = relationship(Vessel)


class Booking(Base):
    __tablename__ = "booking"

    id = Column(Integer, primary_key=True)
    customer_id = Column(Integer, nullable=False)
    sailing_id = Column(ForeignKey("sailing.id"), nullable=False)
    passengers = Column(Integer, nullable=False, default=1)
    vehicle_length_cm = Column(Integer)
    price = Column(Numeric(9, 2), nullable=False)
    tags = Column(ARRAY(Text), nullable=False, default=list)
    booked_at = Column(DateTime(timezone=True), server_default=func.now())
    cancelled_at = Column(DateTime(timezone=True))

    sailing = relationship(Sailing)


class Voucher(Base):
    __tablename__ = "voucher"

    code = Column(Text, primary_key=True)
    amount = Column(Numeric(7, 2), nullable=False)
    issued_on = Column(Date, nullable=False)
    valid_until = Column(Date)


class EngineLog(Base):
    __tablename__ = "engine_log"

    sailing_id = Column(ForeignKey("sailing.id"), primary_key=True)
    total_time = Column(Float, nullable=False)
    idle_time = Column(Float, nullable=False, default=0)
