"""A seeded relay between computers: loss, delay, duplication, reordering, one-way links.

    python relay.py SEED PORT...

Reads Ethernet frames from the ports (interfaces whose other ends are the computers) and sends each
to the port behind which its receiver is, or to all others. What a link does to its frames is set
by lines of JSON on stdin, ``{"1>2": {"loss": 0.3}}`` with the places of the ports in the command;
links that are not named are perfect. On the end of stdin it prints what it has forwarded.

The draws of a link depend on the seed and on the number of the frame on that link, not on others.
"""

import heapq
import json
import random
import select
import socket
import struct
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

ALL_PROTOCOLS = 0x0003
IGNORE_OUTGOING = 23
"""Option of packet sockets (linux/if_packet.h): frames that were sent here are not received."""

PACKETS = 263
"""Level of that option, SOL_PACKET."""

LONGEST_FRAME = 65_536
BUFFER = 8 * 2**20
"""Size of the buffers of a port [bytes]."""

MAX_WAITING = 50_000
"""Frames that wait for their time; more are lost."""

OVERTAKEN = 0.03
"""How much later a frame arrives that others overtake [s]."""


@dataclass(frozen=True)
class Impairment:
    """What a link does to its frames, in one direction.

    Attributes:
        loss: Share of the frames that are lost.
        delay: Time that a frame needs [s].
        jitter: Further time, uniform from 0 on [s].
        duplicate: Share of the frames that arrive twice.
        reorder: Share of the frames that others overtake.
        blocked: Whether nothing gets through.
    """

    loss: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    duplicate: float = 0.0
    reorder: float = 0.0
    blocked: bool = False


def combine(impairments: Iterable[Impairment]) -> Impairment:
    """Return what several impairments do to a link, one after the other."""
    total = Impairment()
    for one in impairments:
        total = Impairment(
            1.0 - (1.0 - total.loss) * (1.0 - one.loss), total.delay + one.delay,
            total.jitter + one.jitter,
            1.0 - (1.0 - total.duplicate) * (1.0 - one.duplicate),
            1.0 - (1.0 - total.reorder) * (1.0 - one.reorder), total.blocked or one.blocked,
        )  # fmt: skip
    return total


class Link:
    """One direction between two computers."""

    def __init__(self, seed: str) -> None:
        """Begin perfect."""
        self.impairment = Impairment()
        self._draw = random.Random(seed)

    def delays(self) -> tuple[float, ...]:
        """Draw the times [s] after which copies of the next frame arrive; empty if it is lost."""
        lost, twice, late, early, again = (self._draw.random() for _ in range(5))
        one = self.impairment
        if one.blocked or lost < one.loss:
            return ()
        first = one.delay + one.jitter * early + (OVERTAKEN if late < one.reorder else 0.0)
        return (first, one.delay + one.jitter * again) if twice < one.duplicate else (first,)


def link_table(lines: Mapping[str, Impairment]) -> str:
    """Return impairments by link, such as ``0>1``, as the relay reads them."""
    return json.dumps({name: asdict(one) for name, one in lines.items()})


class Relay:
    """Forwards frames between ports."""

    def __init__(self, seed: str, ports: Sequence[str]) -> None:
        """Open the ports."""
        self._ports = [open_port(name) for name in ports]
        numbers = range(len(ports))
        self._links = {(a, b): Link(f'{seed}/{a}>{b}') for a in numbers for b in numbers if a != b}
        self._place: dict[bytes, int] = {}
        self._waiting: list[tuple[float, int, int, bytes]] = []
        self.counts = {
            'received': 0, 'sent': 0, 'lost': 0, 'bytes': 0, 'overflows': 0, 'refused': 0
        }

    def run(self) -> None:
        """Forward until stdin ends."""
        poll = select.poll()
        poll.register(0, select.POLLIN)
        places = {port.fileno(): number for number, port in enumerate(self._ports)}
        for place in places:
            poll.register(place, select.POLLIN)
        while True:
            for place, _ in poll.poll(self._patience()):
                if place in places:
                    self._receive(places[place])
                elif line := sys.stdin.readline():
                    self._set(json.loads(line))
                else:
                    return
            self._send_due()

    def _patience(self) -> float:
        """Return the time until the next frame is due [ms]."""
        if not self._waiting:
            return 1000.0
        return max(0.0, 1e3 * (self._waiting[0][0] - time.monotonic()))

    def _set(self, table: Mapping[str, Mapping[str, float]]) -> None:
        for (a, b), link in self._links.items():
            link.impairment = Impairment(**table.get(f'{a}>{b}', {}))

    def _receive(self, source: int) -> None:
        """Take what has arrived at a port, at most some frames, so that others have their turn."""
        port = self._ports[source]
        for _ in range(64):
            try:
                frame = port.recv(LONGEST_FRAME)
            except (BlockingIOError, OSError):  # empty, or the interface is down
                return
            self.counts['received'] += 1
            self.counts['bytes'] += len(frame)
            self._place[frame[6:12]] = source
            known = self._place.get(frame[:6]) if not frame[0] & 1 else None
            for (a, b), link in self._links.items():
                if a == source and known in (None, b):
                    self._forward(link, b, frame)

    def _forward(self, link: Link, to: int, frame: bytes) -> None:
        delays = link.delays()
        if not delays:
            self.counts['lost'] += 1
        for delay in delays:
            if delay <= 0.0:
                self._send(to, frame)
            elif len(self._waiting) < MAX_WAITING:
                due = time.monotonic() + delay
                heapq.heappush(self._waiting, (due, self.counts['received'], to, frame))
            else:
                self.counts['overflows'] += 1

    def _send_due(self) -> None:
        now = time.monotonic()
        while self._waiting and self._waiting[0][0] <= now:
            _, _, to, frame = heapq.heappop(self._waiting)
            self._send(to, frame)

    def _send(self, to: int, frame: bytes) -> None:
        try:
            self._ports[to].send(frame)
        except OSError:  # the interface is down, or its queue is full
            self.counts['refused'] += 1
        else:
            self.counts['sent'] += 1


def open_port(name: str) -> socket.socket:
    """Return a socket for all frames that arrive at an interface."""
    port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    port.setsockopt(PACKETS, IGNORE_OUTGOING, struct.pack('i', 1))
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        port.setsockopt(socket.SOL_SOCKET, option, BUFFER)
    port.bind((name, 0))
    port.setblocking(False)
    return port


def main() -> None:
    """Relay; say what was done, with the share of a processor that it took."""
    begun, relay = time.monotonic(), Relay(sys.argv[1], sys.argv[2:])
    print('ready', flush=True)
    relay.run()
    elapsed = time.monotonic() - begun
    seconds = {'cores': time.process_time() / elapsed, 'elapsed': elapsed}
    print(json.dumps({**relay.counts, **seconds}))


if __name__ == '__main__':
    main()
