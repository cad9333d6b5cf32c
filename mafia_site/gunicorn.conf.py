"""How gunicorn serves the site: a few sync workers, which is what SQLite's single writer likes best.

With TLS_CERTIFICATE and TLS_KEY it speaks HTTPS itself, to phones and with nothing before it: threads then wait for
those that are slow, and whoever left the network is forgotten.
"""

import gc
import os
import socket
import sys
from typing import Any

wsgi_app = "mafia_site.wsgi"
bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"
workers = int(os.environ.get("WEB_WORKERS") or 3)
certfile = os.environ.get("TLS_CERTIFICATE") or None
keyfile = os.environ.get("TLS_KEY") or None
worker_class = "gthread" if certfile else "sync"
threads = 12 if certfile else 1
forwarded_allow_ips = "" if certfile else os.environ.get("FORWARDED_ALLOW_IPS") or "127.0.0.1,::1"
keepalive = 15 if certfile else 2  # seconds; a handshake costs more than a tap
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


def when_ready(server: Any) -> None:
    """What is loaded by now is never garbage, and phones that connect and say nothing don't come in.

    Connections of those that vanished end by themselves. What a listener accepts inherits its options, all of them in
    seconds but the last.
    """
    gc.collect()
    gc.freeze()  # no worker looks through it again, nor copies it by doing so
    gc.set_threshold(20_000, 20, 20)  # objects, of which a tap makes and drops some thousands without any cycle
    if certfile and sys.platform == "linux":
        for listener in server.LISTENERS:
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 10)
            listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 15)
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5)
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 30_000)
