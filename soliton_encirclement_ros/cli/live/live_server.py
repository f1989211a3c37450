"""The web server of the live page: the page, and a feed of changes to every open page.

Only this computer is answered, unless the operator gives an address and a token; pages of other
sites never are, whatever computer they are shown on. Orders of a page are checked before they are
passed on.
"""

import asyncio
import contextlib
import hmac
import ipaddress
import json
import math
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from soliton_encirclement_ros.cli.live.live_page import LiveFeed, Reader
from soliton_encirclement_ros.core.emergency_stop import MEMBER
from velocity_mobility_ros.core.random_numbers import LARGEST_SEED

LONGEST = 64 * 1024
"""Bytes of a message of a page, at most."""

MOST_MEMBERS = 1000


class Verb(NamedTuple):
    """An order that pages may give.

    Attributes:
        command: Words of ``swarm`` that carry it out; empty: it leaves from the page's own node.
        values: How many numbers it has.
        needs_members: Whether it names its members; others are for all without.
        is_flight: Whether one of its kind is under way at a time: it passes a gate.
        takes_fleet: Whether ``--agents`` and ``--scenario`` say who all are.
    """

    command: tuple[str, ...] = ()
    values: int = 0
    needs_members: bool = False
    is_flight: bool = False
    takes_fleet: bool = False


VERBS = {
    'hold': Verb(),
    'land': Verb(),
    'rtl': Verb(),
    'stop': Verb(),
    'check takeoff': Verb(('fly', 'takeoff', '--dry-run'), takes_fleet=True),
    'check engage': Verb(('fly', 'engage', '--dry-run'), takes_fleet=True),
    'takeoff': Verb(('fly', 'takeoff'), is_flight=True, takes_fleet=True),
    'engage': Verb(('fly', 'engage'), is_flight=True, takes_fleet=True),
    'release': Verb(('stop', '--release'), is_flight=True, takes_fleet=True),
    'cancel': Verb(),
    'restart': Verb(values=2),
    'fail': Verb(('fail',), needs_members=True),
    'recover': Verb(('recover',), needs_members=True),
    'pause': Verb(),
    'go on': Verb(),
    'step': Verb(),
    'pace': Verb(values=1),
    'send target': Verb(values=2),
    'let target go': Verb(),
}


class PageOrder(NamedTuple):
    """One order.

    Attributes:
        verb: A key of ``VERBS``.
        members: Its addressees; empty: all.
        values: Its numbers.
    """

    verb: str
    members: tuple[str, ...] = ()
    values: tuple[float, ...] = ()

    @property
    def text(self) -> str:
        """What is ordered."""
        return ' '.join([self.verb, *self.members, *(f'{number:g}' for number in self.values)])


def read_order(text: str) -> PageOrder | None:
    """Return the order in a message of a page, None if it is none.

    Args:
        text: JSON with ``verb``, ``members`` and ``values``.
    """
    try:
        content = json.loads(text)
        if content.keys() != {'verb', 'members', 'values'}:
            return None
        verb, values = content['verb'], tuple(content['values'])
        members = tuple(content['members'])
        known = VERBS[verb]
        numbers = tuple(map(float, values))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    named = all(isinstance(member, str) and MEMBER.fullmatch(member) for member in members)
    is_sound = named and len(members) <= MOST_MEMBERS and all(map(math.isfinite, numbers))
    if not is_sound or len(numbers) != known.values or (known.needs_members and not members):
        return None
    if verb == 'restart':
        agents, seed = numbers
        if not (1 <= agents <= MOST_MEMBERS and 0 <= seed <= LARGEST_SEED):
            return None
    return PageOrder(verb, tuple(dict.fromkeys(members)), numbers)


Obey = Callable[[PageOrder, str], None]

PERIOD = 0.05
"""Time between two looks at the swarm [s]."""

REFUSED = 1008
"""Code of a websocket that is closed since its sender may not use it."""

MOST_REFUSALS = 20
"""Refusals that are told; an attacker must not fill a disk."""


class LiveServer:
    """The server of the page and of its feed."""

    def __init__(
        self, feed: LiveFeed, page: str, say: Callable[[str], None], token: str = '',
        is_over: Callable[[], bool] = lambda: False, obey: Obey | None = None,
    ) -> None:  # fmt: skip
        """Serve a feed.

        Args:
            feed: What is shown.
            page: The page.
            say: Tells who was refused.
            token: What a page of another computer has to know; empty: only this one is answered.
            is_over: Returns whether the process is to end.
            obey: Takes an order, and which page gives it; None: pages only look.
        """
        self._obey, self._pages = obey, 0
        self._feed, self._page, self._say, self._token = feed, page, say, token
        self._is_over = is_over
        self._refusals: set[str] = set()
        self.app = Starlette(
            routes=[Route('/', self._show), WebSocketRoute('/feed', self._follow)],
            lifespan=self._looking,
        )

    @contextlib.asynccontextmanager
    async def _looking(self, app: Starlette) -> AsyncIterator[None]:
        """Look at the swarm while the server runs."""
        del app
        task = asyncio.create_task(self._look())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):  # as was asked for
            await task

    async def _look(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            self._feed.look()
            if self._is_over():
                signal.raise_signal(signal.SIGINT)  # as by ctrl-C
            due = max(due + PERIOD, loop.time())
            await asyncio.sleep(due - loop.time())

    async def _show(self, request: Request) -> Response:
        if fault := self._fault(request):
            return PlainTextResponse(f'{fault}\n', status_code=403)
        return HTMLResponse(self._page, headers=HEADERS)

    async def _follow(self, socket: WebSocket) -> None:
        if fault := self._fault(socket, is_page=False):
            await socket.close(REFUSED, fault)
            return
        await socket.accept()
        self._pages += 1
        page = f'page {self._pages} ({socket.client.host if socket.client else "?"})'
        reader = self._feed.join()
        sending = asyncio.create_task(_send(socket, reader))
        try:
            while True:
                self._take(await socket.receive(), page)
        except WebSocketDisconnect:
            pass  # the page was closed
        finally:
            self._feed.leave(reader)
            sending.cancel()

    def _take(self, message: Any, page: str) -> None:
        """Take a message of a page."""
        if message['type'] == 'websocket.disconnect':
            raise WebSocketDisconnect
        order = read_order(message.get('text') or '')
        if self._obey is None:
            self._refuse('a page sent something, but there is no --operate')
        elif order is None:
            self._refuse('a page sent what is no order')
        else:
            self._obey(order, page)

    def _fault(self, request: HTTPConnection, is_page: bool = True) -> str:
        """Return why a request is refused, empty if it is not."""
        host = request.headers.get('host', '')
        origin = request.headers.get('origin', '')
        if self._token:
            token = request.query_params.get('token', '')
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return self._refuse('the token of the address is missing or wrong')
        elif not is_of_this_computer(host):
            return self._refuse(f'host {host[:80]!r} is not this computer')
        if origin and origin != f'{request.url.scheme.replace("ws", "http")}://{host}':
            return self._refuse(f'origin {origin[:80]!r} is another site')
        if not origin and not is_page:
            return self._refuse('a page names its origin')
        return ''

    def _refuse(self, fault: str) -> str:
        """Tell of a fault, once; return it."""
        if fault not in self._refusals and len(self._refusals) < MOST_REFUSALS:
            self._refusals.add(fault)
            self._say(f'refused: {fault}')
        return fault


HEADERS = {
    'Cache-Control': 'no-store',
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
}
"""The page is not framed, not cached, and never sent as a referrer."""


def is_of_this_computer(host: str) -> bool:
    """Return whether the host of a request names this computer and nothing that leads to it.

    A name of another site can be made to lead here, so the name itself counts.
    """
    name = host.rsplit(':', 1)[0] if host.rpartition(':')[2].isdigit() else host
    if name == 'localhost':
        return True
    try:
        return ipaddress.ip_address(name.strip('[]')).is_loopback
    except ValueError:
        return False


async def _send(socket: WebSocket, reader: Reader) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the page was closed
        while True:
            await socket.send_text(json.dumps(await reader.next(), allow_nan=False))
