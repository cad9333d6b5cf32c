"""How gunicorn keeps the door: one small worker whose threads wait for slow phones."""

import os

wsgi_app = "mafia_site.hall.door"
bind = f"{os.environ.get('HOST') or '0.0.0.0'}:{os.environ.get('HTTP_PORT') or '8080'}"  # noqa: S104 - the hall is meant to reach it
workers = 1
worker_class = "gthread"
threads = 8
control_socket_disable = True
accesslog = None
errorlog = "-"
loglevel = "warning"
