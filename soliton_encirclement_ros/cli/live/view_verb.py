"""``swarm view``: a page on this computer that shows a running swarm; or another viewer does.

A page lasts from its first request to its end, with its server and the operator behind it.
"""

import errno
import math
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Optional

import typer

from soliton_encirclement_ros.cli.operator.addressees import AGENTS, SCENARIO, parse_addressees
from soliton_encirclement_ros.cli.operator.ros_context import check_environment, ros_node
from soliton_encirclement_ros.cli.options import INTEGER, RADIUS, Count, refuse_together
from soliton_encirclement_ros.cli.output import say
from soliton_encirclement_ros.cli.scenario_verbs import NAMESPACE, STREAM
from soliton_encirclement_ros.cli.streams.streaming import (
    FOXGLOVE, HERE, RERUN_PORT, check_stream, follow, live_sink
)
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet
from velocity_mobility_ros.core.environment.unix_process import Interrupt, ParentProcess

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.live.page_operator import PageOperator
    from soliton_encirclement_ros.cli.live.view_node import ViewNode


def serve(
    node: 'ViewNode', listener: socket.socket, host: Optional[str], is_over: Callable[[], bool],
    operator: 'PageOperator | None',
) -> None:  # fmt: skip
    """Serve the page of a swarm until ctrl-C.

    Args:
        node: The node that listens to the swarm.
        listener: The socket.
        host: The address that others are answered on, by a token; None: nobody is.
        is_over: Returns whether to end.
        operator: The operator behind the page's orders; None: it gives none.
    """
    import uvicorn

    from soliton_encirclement_ros.cli.live.live_page import LiveFeed, live_page
    from soliton_encirclement_ros.cli.live.live_server import LONGEST, LiveServer

    def more() -> dict[str, Any]:
        health, can = node.health, operator.can if operator else ()
        return {
            'simulation': health.simulation, 'source': health.source, 'period': health.period_ms,
            'can': can,
        }  # fmt: skip

    token = secrets.token_urlsafe(16) if host else ''
    lines, obey = (operator.lines, operator.ask) if operator else (tuple, None)
    feed = LiveFeed(node.update, lambda: node.picture, node.vehicles, lines, more)
    page = live_page(node.fleet.namespace.strip('/') or 'swarm', operator is not None)
    server = LiveServer(feed, page, say, token, is_over, obey)
    ending = f'?token={token}' if token else ''
    name = 'localhost' if host is None else f'[{host}]' if ':' in host else host
    say(f'live page: http://{name}:{listener.getsockname()[1]}/{ending}')
    config = uvicorn.Config(
        server.app, log_level='critical', timeout_graceful_shutdown=1, ws_max_size=LONGEST
    )
    uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def lend_operator(
    fleet: Fleet, is_wanted: bool, agents: Optional[int], scenario: Optional[str],
    restarts: Optional[int],
) -> 'Iterator[PageOperator | None]':  # fmt: skip
    """Lend an operator for the orders of the pages, where that is wanted.

    Args:
        fleet: The fleet.
        is_wanted: Whether it is wanted.
        agents: How many vehicles there are, as the command line says it.
        scenario: Whose agents they are, likewise.
        restarts: The pipe to the run of the page.
    """
    if not is_wanted:
        yield None
        return
    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
    from soliton_encirclement_ros.cli.live.page_operator import VERB, PageOperator
    from velocity_mobility_ros.ros_io.process.teardown import destroy

    node = FlyNode(fleet, VERB)
    options = {'--agents': agents, '--scenario': scenario}
    said = [word for name, value in options.items() if value is not None
            for word in (name, str(value))]  # fmt: skip
    operator = PageOperator(node, fleet, parse_addressees((), agents, scenario), said, restarts)
    operator.start()
    try:
        yield operator
    finally:
        operator.close()
        destroy([node])


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
    operate: bool = typer.Option(
        False, '--operate', help='Let the page give orders, as swarm fly and swarm stop do.'
    ),
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    radius: Optional[float] = typer.Option(
        None, click_type=RADIUS, help='Radius of the ring in m, where no agent tells it.'
    ),
    stream: Optional[str] = STREAM,
    restarts: Optional[int] = typer.Option(None, '--restarts', click_type=INTEGER, hidden=True),
    namespace: str = NAMESPACE,
) -> int:  # fmt: skip
    """Show a running swarm in the browser, simulated or real."""
    for name, given, why in (
        ('--host', host, 'a stream has no token; see docs/how_to/view.md'),
        ('--operate', operate, 'other viewers give no orders'),
    ):
        refuse_together(('--stream', stream), (name, given), why=why)
    check_stream(stream, port=port)
    parse_addressees((), agents, scenario)
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    parent, interrupt = ParentProcess(), Interrupt()  # ctrl-C ends it, and is no failure
    kind = partial(_kind, radius)
    if stream is not None:
        return _stream(stream, port, fleet, kind, lambda: bool(interrupt) or parent.is_gone)
    listener = _listener(host or HERE, port)
    orders = lend_operator(fleet, operate, agents, scenario, restarts)
    with ros_node(VERB, kind, fleet) as node, listener, orders as operator:
        serve(node, listener, host, lambda: parent.is_gone, operator)
    return 0


def _stream(
    stream: str, port: Optional[int], fleet: Fleet,
    kind: 'Callable[[], Callable[[Fleet], ViewNode]]', is_over: Callable[[], bool],
) -> int:  # fmt: skip
    if stream == FOXGLOVE:
        with _listener(HERE, port) as free:
            number = free.getsockname()[1]
    else:
        number = port or RERUN_PORT
    with ros_node(VERB, kind, fleet) as node, live_sink(stream, number) as sink:
        where = f'Foxglove: ws://localhost:{number}' if stream == FOXGLOVE else 'Rerun'
        say(f'stream for {where}')
        follow(node, sink, is_over)
    return 0


def _listener(host: str, port: Optional[int]) -> socket.socket:
    """Return a socket that listens on a port.

    Raises:
        RunError: The port is in use, or the address is not one of this computer.
    """
    tried = [port] if port else range(PORT, PORT + MORE_PORTS)
    for number in tried:
        sock = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, number))
            sock.listen()
        except OSError as error:
            sock.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise RunError(f'--host {host} is no address of this computer') from None
            fault = error.strerror
        else:
            return sock
    where = f'--port {port}' if port else f'ports {PORT} to {PORT + MORE_PORTS - 1}'
    raise RunError(f'{where} on {host}: {fault}; choose another by --port')


def _kind(radius: Optional[float]) -> Callable[[Fleet], 'ViewNode']:
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

    return partial(ViewNode, radius=math.nan if radius is None else radius)
