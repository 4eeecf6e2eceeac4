import os

BASE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECRET_KEY = os.environ.get("SECRET_KEY", "only-for-development")
DEBUG = os.environ.get("DEBUG") == "1"
ALLOWED_HOSTS = ["*"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "clinics",
    "billing",
]

MIDDLEWARE = [
    "django.middleware.common.CommonMiddleware",
    "clinics.middleware.AuditContextMiddleware",
]

ROOT_URLCONF = "vetchain.urls"
TIME_ZONE = "Europe/Vienna"
USE_TZ = True

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ.get("DATABASE_HOST", "localhost"),
        "NAME": os.environ.get("DATABASE_NAME", "vetchain"),
        "USER": "vetchain",
        "CONN_MAX_AGE": 60,
        "OPTIONS": {"options": "-c statement_timeout=60000"},
    }
}

LEGACY_PMS = {"host": "pms-old.vierpfoten.example", "user": "export", "database": "animana"}
