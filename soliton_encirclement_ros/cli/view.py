"""``swarm view``: a page on this computer that shows a running swarm."""

import math
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Optional

import typer
from velocity_mobility_ros.core.interrupt import Interrupt

from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.options.option_checks import check_radius, refuse_together
from soliton_encirclement_ros.cli.options.option_types import NUMBER, Count
from soliton_encirclement_ros.cli.options.shared_options import NAMESPACE, STREAM
from soliton_encirclement_ros.cli.output import say
from soliton_encirclement_ros.cli.streams.streaming import (
    FOXGLOVE,
    HERE,
    RERUN_PORT,
    check_stream,
    follow,
    live_sink,
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import Fleet, named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

VERB = 'swarm view'
PORT, MORE_PORTS = 8765, 20
"""The first port that is tried, and how many after it."""

PORTS = Count(min=1, max=65535)


def view(
    port: Optional[int] = typer.Option(
        None, '--port', click_type=PORTS, help='Port of the page, or of Foxglove; '
        f'by default {PORT} or the next one that is free. Of the viewer of Rerun: {RERUN_PORT}.',
    ),
    host: Optional[str] = typer.Option(
        None, '--host', help='Address of this computer to answer others on; they need the token.'
    ),
    radius: Optional[float] = typer.Option(
        None, click_type=NUMBER, help='Radius of the ring in m, where no agent tells it.'
    ),
    stream: Optional[str] = STREAM,
    namespace: str = NAMESPACE,
) -> int:  # fmt: skip
    """Show a running swarm in the browser, simulated or real; ctrl-C ends it."""
    refuse_together(
        ('--stream', stream), ('--host', host), why='a stream has no token; see docs/view.md'
    )
    check_radius(radius)
    check_stream(stream, port=port)
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    if stream is not None:
        return _stream(stream, port, fleet, radius)
    listener = _listener(host or HERE, port)
    with operating(VERB, partial(_kind, radius), fleet) as node, listener:
        _serve(node, fleet, listener, host)
    return 0


@contextmanager
def viewing(wanted: bool, fleet: Fleet, *options: str) -> Iterator[None]:
    """Show a swarm meanwhile, by a process of its own, which prints the address.

    Args:
        wanted: Whether to.
        fleet: The fleet.
        *options: Of ``swarm view``.
    """
    if not wanted:
        yield
        return
    command = (sys.executable, '-m', 'soliton_encirclement_ros.cli.main', 'view')
    process = subprocess.Popen(
        (*command, '--namespace', fleet.namespace or '/', *options), stdout=sys.stderr
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def streaming(
    stream: Optional[str], fleet: Fleet, radius: float
) -> AbstractContextManager[None]:
    """Return what sends a swarm with a ring [m] to another viewer meanwhile, if one is named."""
    return viewing(stream is not None, fleet, '--stream', stream or '', '--radius', f'{radius}')


def _stream(stream: str, port: Optional[int], fleet: Fleet, radius: Optional[float]) -> int:
    if stream == FOXGLOVE:
        with _listener(HERE, port) as free:
            number = free.getsockname()[1]
    else:
        number = port or RERUN_PORT
    interrupt = Interrupt()
    kind = partial(_kind, radius)
    with operating(VERB, kind, fleet) as node, live_sink(stream, number) as sink:
        where = f'Foxglove: ws://localhost:{number}' if stream == FOXGLOVE else 'Rerun'
        say(f'stream for {where}')
        follow(node, sink, lambda: bool(interrupt))
    return 0


def _listener(host: str, port: Optional[int]) -> socket.socket:
    """Return a socket that listens on a port.

    Raises:
        RunError: The port is in use, or the address is not one of this computer.
    """
    tried = [port] if port else range(PORT, PORT + MORE_PORTS)
    for one in tried:
        found = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, one))
            found.listen()
        except OSError as error:
            found.close()
            fault = error.strerror
        else:
            return found
    where = f'--port {port}' if port else f'ports {PORT} to {PORT + MORE_PORTS - 1}'
    raise RunError(f'{where} on {host}: {fault}; choose another by --port, or --host')


def _serve(node: 'ViewNode', fleet: Fleet, listener: socket.socket, host: str | None) -> None:
    import uvicorn

    from soliton_encirclement_ros.cli.live.live_feed import LiveFeed
    from soliton_encirclement_ros.cli.live.live_page import live_page
    from soliton_encirclement_ros.cli.live.live_server import LiveServer

    token = secrets.token_urlsafe(16) if host else ''
    feed = LiveFeed(node.update, lambda: node.picture, node.vehicles)
    server = LiveServer(feed, live_page(fleet.namespace.strip('/') or 'swarm'), say, token)
    ending = f'?token={token}' if token else ''
    name = 'localhost' if host is None else f'[{host}]' if ':' in host else host
    say(f'live page: http://{name}:{listener.getsockname()[1]}/{ending}')
    config = uvicorn.Config(server.app, log_level='critical', timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


def _kind(radius: Optional[float]) -> Callable[[Fleet], 'ViewNode']:
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

    return partial(ViewNode, radius=math.nan if radius is None else radius)
