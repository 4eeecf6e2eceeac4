from sqlalchemy import (
    BigInteger, Boolean, Column, Date, DateTime, ForeignKey, Integer, Interval, Numeric, Text, func,
)
from sqlalchemy.orm import declarative_base, relationship

Base = declarative_base()


class Practitioner(Base):
    __tablename__ = "practitioners"

    practitioner_id = Column(Integer, primary_key=True)
    practice_id = Column(Integer, nullable=False)
    login = Column(Text, nullable=False, unique=True)
    full_name = Column(Text, nullable=False)
    slot_length = Column(Interval, nullable=False)
    active = Column(Boolean, nullable=False, default=True)


class Patient(Base):
    __tablename__ = "patients"

    patient_id = Column(BigInteger, primary_key=True)
    practice_id = Column(Integer, nullable=False)
    family_name = Column(Text, nullable=False)
    given_name = Column(Text, nullable=False)
    birth_date = Column(Date, nullable=False)
    age_years = Column(Integer)
    phone = Column(Text)
    notes = Column(Text)
    insurer_msg = Column(Text)
    changed_at = Column(DateTime(timezone=True), server_default=func.now())

    appointments = relationship("Appointment", back_populates="patient")


class Appointment(Base):
    __tablename__ = "appointments"

    appointment_id = Column(BigInteger, primary_key=True)
    patient_id = Column(ForeignKey("patients.patient_id"), nullable=False)
    practitioner_id = Column(ForeignKey("practitioners.practitioner_id"), nullable=False)
    visit_on = Column(Date, nullable=False)
    starts_at = Column(DateTime(timezone=True), nullable=False)
    planned = Column(Interval, nullable=False)
    room = Column(Integer)
    status = Column(Text, nullable=False, default="booked")

    patient = relationship(Patient, back_populates="appointments")
    practitioner = relationship(Practitioner)


class Invoice(Base):
    __tablename__ = "invoices"

    invoice_id = Column(BigInteger, primary_key=True)
    appointment_id = Column(ForeignKey("appointments.appointment_id"), nullable=False)
    amount = Column(Numeric(10, 2), nullable=False)
    points = Column(Integer, nullable=False, default=0)
    issued_at = Column(DateTime(timezone=True), server_default=func.now())
    paid_at = Column(DateTime(timezone=True))


class AuditSession(Base):
    __tablename__ = "audit_sessions"

    session_id = Column(BigInteger, primary_key=True)
    login = Column(Text, nullable=False)
    os_account = Column("system_user", Text, nullable=False, quote=True)
    workstation = Column(Text)
    started_at = Column(DateTime(timezone=True), server_default=func.now())
    ended_at = Column(DateTime(timezone=True))
