"""The least that Django needs, on the site's own database and with its options."""

from mafia_site.settings import DATABASES, DEFAULT_AUTO_FIELD, SECRET_KEY, STATIC_ROOT, TIME_ZONE, USE_TZ, VAR_DIR

__all__ = ["DATABASES", "DEFAULT_AUTO_FIELD", "SECRET_KEY", "STATIC_ROOT", "TIME_ZONE", "USE_TZ", "VAR_DIR"]

ALLOWED_HOSTS = ["127.0.0.1"]
INSTALLED_APPS = ["django.contrib.staticfiles", "tests.bench.bare"]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "tests.bench.bare.views"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
STATIC_URL = "static/"
