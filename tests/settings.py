"""The site's settings for tests: a data folder of their own, gone when they end, and quick passwords."""

import atexit
import os
import shutil
import tempfile

_var_dir = tempfile.mkdtemp(prefix="mafia-tests-")
atexit.register(shutil.rmtree, _var_dir, ignore_errors=True)
os.environ["VAR_DIR"] = _var_dir
os.environ.pop("DEBUG", None)
os.environ.pop("HTTPS", None)
os.environ.pop("SITE_URL", None)
os.environ.pop("PORT", None)

from mafia_site.settings import *  # noqa: E402, F403
from mafia_site.settings import DATABASES, STATIC_ROOT, STORAGES, VAR_DIR  # noqa: E402

STATIC_ROOT.mkdir()  # whitenoise warns where there is none
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory: the server's threads then share it as the real ones do, locks and all.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
