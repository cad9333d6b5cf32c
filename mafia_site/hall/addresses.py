"""Under which addresses this machine is reached on its local network."""

from __future__ import annotations

import fcntl
import os
import re
import socket
import struct
import sys

SIOCGIFADDR = 0x8915
VIRTUAL = ("lo", "docker", "br-", "veth", "virbr", "tun", "tap", "wg", "cni", "flannel")
NOWHERE = ("203.0.113.1", 9)  # no packet is sent: the system only says from where one would go


def addresses() -> list[str]:
    """The IPv4 addresses on local networks, the one that leads outwards first; empty without a network."""
    outward = _outward()
    found = [outward] if outward else []
    for address in _of_interfaces():
        if address not in found:
            found.append(address)
    return found


def host_names() -> list[str]:
    """The names by which this machine announces itself or is told to be known: HALL_NAMES, separated by commas."""
    given = [name.strip().lower() for name in os.environ.get("HALL_NAMES", "").split(",") if name.strip()]
    own = socket.gethostname().split(".")[0].lower()
    announced = [f"{own}.local"] if re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", own) else []
    return [*given, *(name for name in announced if name not in given)]


def _outward() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(NOWHERE)
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address.startswith("127.") else address


def _of_interfaces() -> list[str]:
    """The first address of each interface; a machine that is itself the access point has no way outwards."""
    if sys.platform != "linux":
        try:
            return [address for address in socket.gethostbyname_ex(socket.gethostname())[2] if address[:4] != "127."]
        except OSError:
            return []
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        for _number, name in socket.if_nameindex():
            if name.startswith(VIRTUAL):
                continue
            try:
                answer = fcntl.ioctl(asker.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # it has none
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found
