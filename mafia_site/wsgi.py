"""The server's entry point."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import reverse

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mafia_site.settings")

application = get_wsgi_application()

# What every worker needs is loaded once, before there are any, so that nobody's first tap waits for it.
from protocols.board import drawing  # noqa: E402

reverse("home")
drawing.load()
