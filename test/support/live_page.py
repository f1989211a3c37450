"""For tests of the live page: a swarm that flies by the wall's time, and its server."""

import math
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn

from soliton_encirclement_ros.cli.live.live_page import LiveFeed
from soliton_encirclement_ros.cli.live.live_server import LiveServer
from soliton_encirclement_ros.cli.live.swarm_picture import LiveBodyState, SwarmPicture

RADIUS = 20.0
USUAL = {'state': 'up', 'health': 'ok', 'bad': False, 'filtered': 0.12}


class Flight:
    """Agents that circle round a target.

    Attributes:
        picture: What is known of them.
        down: Numbers of those that have failed.
        silent: Numbers of those that are heard no more.
        is_silent: Whether nothing is heard.
        begins_anew: Whether the swarm begins anew at the next look.
        lines: What is said of orders at the next look.
        centre: Where the target is [m].
    """

    def __init__(self, agents: int = 1) -> None:
        """Begin."""
        self.picture, self.began = SwarmPicture(), time.monotonic()
        self._agents = agents
        self.down: set[int] = set()
        self.silent: set[int] = set()
        self.is_silent = self.begins_anew = False
        self.lines: list[dict] = []
        self.centre = (0.0, 0.0)

    def update(self) -> bool:
        """Take what has arrived; return whether the swarm has begun anew."""
        if self.begins_anew:
            self.picture, self.began, self.begins_anew = SwarmPicture(), time.monotonic(), False
            return True
        if self.is_silent:
            return False
        wall = time.monotonic()
        now = wall - self.began
        self.picture.radius = RADIUS
        still = (0.0, 0.0, 0.0)
        x, y = self.centre
        self.picture.see('target', LiveBodyState((x, y, 0.0), still, heard_at=wall), now)
        for k in {*range(1, self._agents + 1)} - self.silent:
            angle = 0.1 * now + 2.0 * math.pi * k / self._agents
            place = (x + RADIUS * math.cos(angle), y + RADIUS * math.sin(angle), 10.0)
            ring = ((k - 2) % self._agents + 1, k % self._agents + 1)
            state = LiveBodyState(place, still, angle, wall, k in self.down, neighbours=ring)
            self.picture.see(f'uav_{k}', state, now)
        return False

    def vehicles(self) -> list[dict]:
        """Return the table of the vehicles."""
        return [
            {**USUAL, 'name': name, 'age': age}
            for name, age in self.picture.ages().items()
        ]

    def feed(self, can: Sequence[str] = ()) -> LiveFeed:
        """Return what pages are fed with.

        Args:
            can: What can be ordered.
        """
        return LiveFeed(
            self.update, lambda: self.picture, self.vehicles, self._take_lines,
            lambda: {'can': can, 'simulation': None, 'source': 'a simulation', 'period': 50},
        )  # fmt: skip

    def _take_lines(self) -> list[dict]:
        lines, self.lines = self.lines, []
        return lines


@contextmanager
def served(
    feed: LiveFeed, page: str = '<p>page</p>', token: str = '', port: int = 0,
    say: Callable[[str], None] = lambda line: None, obey: Any = None,
) -> Iterator[int]:  # fmt: skip
    """Serve a page and its feed; return the port.

    Args:
        feed: The feed.
        page: The page.
        token: What pages have to know.
        port: The port; 0: a free one.
        say: Tells who was refused.
        obey: Takes an order and who gives it.
    """
    listener = socket.create_server(('127.0.0.1', port))  # the server closes it
    app = LiveServer(feed, page, say, token, obey=obey).app
    server = uvicorn.Server(uvicorn.Config(app, log_level='critical'))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield listener.getsockname()[1]
    finally:  # a test that fails ends, too
        server.should_exit = True
        thread.join()
