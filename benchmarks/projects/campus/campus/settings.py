import os

SECRET_KEY = os.environ.get("CAMPUS_SECRET_KEY", "only-for-development")
DEBUG = bool(os.environ.get("CAMPUS_DEBUG"))
ALLOWED_HOSTS = ["campus.example.edu", "localhost"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "courses",
    "people",
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": os.environ.get("PGDATABASE", "campus"),
        "USER": os.environ.get("PGUSER", "campus"),
        "HOST": os.environ.get("PGHOST", "localhost"),
        "CONN_MAX_AGE": 60,
    }
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "Europe/Dublin"
USE_TZ = True

SIS_LIBRARY_FILE = "/srv/sis/library.sqlite3"
