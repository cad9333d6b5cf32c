"""How gunicorn serves the site: a few sync workers, which is what SQLite's single writer likes best."""

import os
import sys
from typing import Any

wsgi_app = "mafia_site.wsgi"
bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
workers = int(os.environ.get("WEB_WORKERS") or 3)
worker_class = "sync"
preload_app = True  # a broken setting stops the start instead of restarting workers for ever
control_socket_disable = True  # nothing outside of var/ is written
timeout = 60  # seconds; long PDFs are made outside of requests
graceful_timeout = 20
max_requests = 20_000
max_requests_jitter = 2_000
limit_request_line = 4094
limit_request_fields = 60
accesslog = None
errorlog = "-"


def on_starting(server: Any) -> None:
    """Holds the data folder as long as this server lives, so that nobody puts other data under it."""
    from mafia_site.running import Busy, work_on_data

    try:
        server.data = work_on_data()
    except Busy:
        sys.exit("The data of the site is being replaced: start again when that is done.")
