from .appointments import Appointments
from .patients import Patients

__all__ = ["Appointments", "Patients"]
