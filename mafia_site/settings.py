"""Settings of the site, read from the environment; without any of it the site runs from the var folder.

VAR_DIR        the folder of everything that is written: database, media, secret key, collected static files
SECRET_KEY     otherwise generated at the first start into VAR_DIR/secret_key
DATABASE_URL   otherwise SQLite at VAR_DIR/db.sqlite3
ALLOWED_HOSTS  host names, separated by commas; otherwise this machine only
SITE_URL       where the site is reached: https://mafia.example.org; the QR of a signed sheet leads there. Otherwise
               http://127.0.0.1:8000 (or the port in PORT), which only this machine can follow
ORIGINS        trusted origins of forms behind a proxy, separated by commas
HTTPS          1 behind a proxy that speaks HTTPS: cookies only go there; «own» where the server itself does, which is
               what `make serve` says, together with HALL_SITE and HALL_DOOR, its two addresses on the local network
MAIL_SERVER    smtp://user:password@host:587 (smtps:// where the connection is encrypted from the start; otherwise it is
               by STARTTLS); without it the site writes no letters and says so where it would
MAIL_FROM      whose letters they are; otherwise the user of MAIL_SERVER
ADDRESS_HEADER the header in which a proxy of one's own names the visitor's address, such as X-Forwarded-For; otherwise
               no header is believed
DEBUG          1 shows Django's error pages to everybody; never on a public machine
TIME_ZONE      otherwise Europe/Moscow
LOG_LEVEL      otherwise INFO
"""

import contextlib
import os
import secrets
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent


def _is_on(name: str) -> bool:
    """Whether the environment switches `name` on."""
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def _names(name: str, default: str = "") -> list[str]:
    """The names, separated by commas, that the environment gives under `name`."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def _secret_key(path: Path) -> str:
    """The key kept in `path`; made there at the first call, once, whoever else starts at the same moment."""
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret_key") as fresh:  # mode 600
            fresh.write(secrets.token_urlsafe(50))
            fresh.flush()
            with contextlib.suppress(FileExistsError):
                os.link(fresh.name, path)
    return path.read_text().strip()


VAR_DIR = Path(os.environ.get("VAR_DIR") or BASE_DIR / "var").resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # names, password hashes, roles of running games

DEBUG = _is_on("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or _secret_key(VAR_DIR / "secret_key")
ALLOWED_HOSTS = _names("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _names("ORIGINS")
SITE_URL = (os.environ.get("SITE_URL") or f"http://127.0.0.1:{os.environ.get('PORT') or 8000}").rstrip("/")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "axes",
    "protocols",
    "scoring",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "mafia_site.middleware.content_security_policy",
    "mafia_site.middleware.refuse_oversized_requests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "mafia_site.middleware.audited",
    "axes.middleware.AxesMiddleware",  # the last one: it looks at what the login page answers
]

ROOT_URLCONF = "mafia_site.urls"
WSGI_APPLICATION = "mafia_site.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"

# --- data

SQLITE_OPTIONS: dict[str, Any] = {
    # A write that waits for its turn from the start can't lose it half way ("database is locked").
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,  # seconds
    # FULL: an answered entry survives a power cut, which NORMAL doesn't promise under WAL.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
}

DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        **dj_database_url.config(
            default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}", conn_max_age=600, conn_health_checks=True
        )
    }
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    # Times that a statement of `models/planned.py` is asked before it is prepared on its connection.
    DATABASES["default"].setdefault("OPTIONS", {}).setdefault("prepare_threshold", 5)

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

MEDIA_ROOT = VAR_DIR / "media"  # signed sheets; given out by views that ask who may, never by address
MEDIA_URL = "media/"

# --- people

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
SESSION_ENGINE = "mafia_site.logins"
AUTHENTICATION_BACKENDS = ["mafia_site.guard.Guard", "mafia_site.logins.Accounts"]
SESSION_COOKIE_AGE = 14 * 24 * 3600  # seconds; longer than any tournament
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# --- logins protected against guessing: django-axes, see `guard.py`

ADDRESS_HEADER = os.environ.get("ADDRESS_HEADER", "")
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "protocols.views.requests.address_of"
AXES_USERNAME_CALLABLE = "mafia_site.guard.name_tried"
AXES_FAILURE_LIMIT = 7
AXES_COOLOFF_TIME = timedelta(minutes=10)
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # the time that was told holds
AXES_LOCKOUT_CALLABLE = "mafia_site.guard.refused"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "typed", "csrfmiddlewaretoken"]  # never kept, as the password
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False

# --- letters

_mail = urlsplit(os.environ.get("MAIL_SERVER", ""))
HAS_MAIL = _mail.scheme in {"smtp", "smtps"} and bool(_mail.hostname)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if HAS_MAIL else 'dummy'}.EmailBackend"
EMAIL_HOST = _mail.hostname or ""
EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 587)
EMAIL_HOST_USER = unquote(_mail.username or "")
EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
EMAIL_USE_SSL = _mail.scheme == "smtps"
EMAIL_USE_TLS = _mail.scheme == "smtp"
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("MAIL_FROM") or EMAIL_HOST_USER or "webmaster@localhost"

# --- language and time

LANGUAGE_CODE = "ru"
LANGUAGES = [("ru", _("Russian"))]
LOCALE_PATHS = [BASE_DIR / "mafia_site" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = os.environ.get("TIME_ZONE") or "Europe/Moscow"

# --- static files

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- what the browser may do, and what a request may weigh

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if _is_on("HTTPS") or os.environ.get("HTTPS") == "own":
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
if _is_on("HTTPS"):  # no proxy, no word of its to trust; and no HSTS, which would bar the door for new phones
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 30 * 24 * 3600

REQUEST_MAX_BYTES = 5 * 1024 * 1024  # the whole body, files included
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440  # bytes of a body without its files
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
DATA_UPLOAD_MAX_NUMBER_FILES = 20

# --- in the hall: the addresses that `make serve` found, otherwise empty

HALL_SITE = os.environ.get("HALL_SITE", "").rstrip("/")
HALL_DOOR = os.environ.get("HALL_DOOR", "").rstrip("/")
TLS_DIR = VAR_DIR / "tls"

# --- log

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL") or "INFO"},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "axes": {"level": "WARNING"},  # otherwise every login is four lines
        # Every font that WeasyPrint subsets would be a line.
        "fontTools": {"level": "WARNING"},
        "pikepdf": {"level": "WARNING"},
        "weasyprint": {"level": "ERROR"},
    },
}
