"""A network that fails when it is told to: a TCP proxy before the test's server.

A browser's own «offline» may leave its service worker connected; a proxy cuts whatever goes through it.
"""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress
from types import TracebackType
from urllib.parse import urlsplit

PIECE = 65536
RESET = struct.pack("ii", 1, 0)


class Network:
    """Passes everything on until it is cut, frozen, slowed, or made to lose answers."""

    def __init__(self, server: str) -> None:
        self.target = (urlsplit(server).hostname or "localhost", urlsplit(server).port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self._listener.getsockname()[1]}"
        self._flows = threading.Event()
        self._flows.set()
        self._up = True
        self._loses_answers = False
        self.delay = 0.0  # seconds before each piece is passed on
        self.received = 0  # bytes from the server
        self.requests = 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Network:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._closed = True
        self._listener.close()
        self._flows.set()
        self._reset()

    def mend(self) -> None:
        """The network is as it should be."""
        self._up, self._loses_answers, self.delay = True, False, 0.0
        self._flows.set()

    def cut(self) -> None:
        """Nothing gets through, and whatever was on its way is lost."""
        self._up = False
        self._flows.set()
        self._reset()

    def freeze(self) -> None:
        """Connections are taken and never answered."""
        self._flows.clear()

    def lose_answers(self) -> None:
        """Requests arrive, and their answers don't."""
        self._loses_answers = True

    def slow(self, seconds: float) -> None:
        """Everything takes so much longer."""
        self.delay = seconds

    # ------------------------------------------------------------ the proxy

    def _reset(self) -> None:
        with self._lock:
            opened, self._open = self._open, set()
        for one in opened:
            with suppress(OSError):
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                one.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._flows.wait()
        if not self._up or self._closed:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            client.close()
            return
        try:
            server = socket.create_connection(self.target)
        except OSError:
            client.close()
            return
        with self._lock:
            self._open |= {client, server}
        back = threading.Thread(target=self._pump, args=(server, client, True), daemon=True)
        back.start()
        self._pump(client, server, False)

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        try:
            while piece := source.recv(PIECE):
                self._flows.wait()
                if self.delay and not is_answer:
                    time.sleep(self.delay)
                if not self._up or (is_answer and self._loses_answers):
                    break
                if is_answer:
                    self.received += len(piece)
                else:
                    self.requests += 1
                sink.sendall(piece)
        except OSError:
            pass
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                one.close()
        with self._lock:
            self._open -= {source, sink}
