"""Twenty judges: a process that taps on a schedule of its own, whether the server keeps up or not.

Reads a plan from standard input and prints what became of every tap, both as JSON. A judge's tap is due at an
instant fixed beforehand, at random within each interval; one that is due while the last has not been answered waits
for it, and its waiting counts. Revision and, where the answer offers one, the entry's UUID are taken from the answer
before. Bounded by the taps of the plan, by its seconds and by TIMEOUT a request; talks to 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

TIMEOUT = 30.0  # seconds a request
REVISION = re.compile(rb'name="revision"[^>]*?value="(\d+)"')
UUID = re.compile(rb'name="uuid"[^>]*?value="([0-9a-f-]{36})"')
TOKEN = re.compile(r'name="csrfmiddlewaretoken"[^>]*?value="([^"]+)"')


@dataclass
class Judge:
    """One judge: where to tap, what to tap in order, and what the last answer said."""

    port: int
    path: str
    taps: list[dict[str, str]]
    revision: str = "0"
    uuid: str | None = None
    login: dict[str, str] | None = None  # username and password; None: nobody asks
    page: str = ""  # the board, fetched once before the taps
    cookies: dict[str, str] = field(default_factory=dict)
    done: int = 0

    async def request(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Status and body of one request on a connection of its own, as sync workers close it anyway."""
        body = urlencode(fields or {}).encode() if method == "POST" else b""
        head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", "Connection: close"]
        if self.cookies:
            head.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if method == "POST":
            head += [
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
                "HX-Request: true",
            ]
            if "csrftoken" in self.cookies:
                head.append(f"X-CSRFToken: {self.cookies['csrftoken']}")
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + body)
            answer = await reader.read(-1)
        finally:
            writer.close()
        top, _, content = answer.partition(b"\r\n\r\n")
        for name, value in re.findall(r"(?im)^set-cookie:\s*([^=\s]+)=([^;\r\n]*)", top.decode("latin-1")):
            self.cookies[name] = value
        return int(top.split(b" ", 2)[1]), content

    async def arrive(self) -> None:
        """Logs in, once, and opens the board."""
        if self.login is None:
            return
        _, page = await self.request("GET", "/login/")
        token = TOKEN.search(page.decode())
        assert token, "no login form"
        status, _ = await self.request("POST", "/login/", {**self.login, "csrfmiddlewaretoken": token[1]})
        assert status == 302, f"login answered {status}"
        status, board = await self.request("GET", self.page)
        assert status == 200, f"the board answered {status}"
        self._follow(board)

    def _follow(self, content: bytes) -> None:
        revision, uuid = REVISION.search(content), UUID.search(content)
        if revision:
            self.revision = revision[1].decode()
        self.uuid = uuid[1].decode() if uuid else None

    async def tap(self) -> dict[str, Any]:
        """The next tap: its UUID and status (0: no answer in time), and when it was sent and answered."""
        uuid = self.uuid or str(uuid4())
        fields = {**self.taps[self.done], "revision": self.revision, "uuid": uuid}
        self.done += 1
        sent = time.perf_counter()
        try:
            status, content = await asyncio.wait_for(self.request("POST", self.path, fields), TIMEOUT)
            if status == 200:
                self._follow(content)
        except (TimeoutError, OSError, IndexError, ValueError):
            status, content = 0, b""
        tap = {"uuid": uuid, "status": status, "sent": sent, "answered": time.perf_counter(), "bytes": len(content)}
        return tap if status == 200 else tap | {"fields": fields, "content": content[-600:].decode(errors="replace")}


async def tap_in_time(judge: Judge, start: float, rate: float, seconds: float, chance: Random) -> list[dict[str, Any]]:
    """The judge's taps of one spell, each with the instant it was due."""
    taps = []
    for number in range(round(rate * seconds)):
        due = start + (number + chance.random()) / rate
        if judge.done >= len(judge.taps):
            break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        taps.append({"due": due, **await judge.tap()})
    return taps


async def main() -> None:
    """Carries out the plan: servers with their judges, then spells of tapping, one after another."""
    plan = json.load(sys.stdin)
    servers = {name: [Judge(**judge) for judge in judges] for name, judges in plan["servers"].items()}
    for judges in servers.values():
        await asyncio.gather(*(judge.arrive() for judge in judges))
    spells = []
    for spell in plan["spells"]:
        judges, rate, seconds = servers[spell["server"]], spell["rate"], spell["seconds"]
        chance = [Random(f"{spell['seed']} {number}") for number in range(len(judges))]
        start = time.perf_counter() + 0.2
        taken = await asyncio.gather(
            *(tap_in_time(judge, start, rate, seconds, chance[number]) for number, judge in enumerate(judges))
        )
        spells.append(
            {**spell, "taps": [{"judge": number, **tap} for number, taps in enumerate(taken) for tap in taps]}
        )
        await asyncio.sleep(0.3)
    json.dump(spells, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
