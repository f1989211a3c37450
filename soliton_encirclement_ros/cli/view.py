"""``swarm view``: a page on this computer that shows a running swarm; or another viewer does."""

import errno
import math
import socket
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Optional

import typer
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.parent_process import ParentProcess

from soliton_encirclement_ros.cli.live.page_session import Said, operator_of, serve
from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.operator.whom import AGENTS, SCENARIO, said_whom
from soliton_encirclement_ros.cli.options.option_checks import check_radius, refuse_together
from soliton_encirclement_ros.cli.options.option_types import NUMBER, WHOLE, Count
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
from soliton_encirclement_ros.core.states.swarm_topics import Fleet, named_fleet

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
    operate: bool = typer.Option(
        False, '--operate', help='Let the page give orders, as swarm fly and swarm stop do.'
    ),
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    radius: Optional[float] = typer.Option(
        None, click_type=NUMBER, help='Radius of the ring in m, where no agent tells it.'
    ),
    stream: Optional[str] = STREAM,
    restarts: Optional[int] = typer.Option(None, '--restarts', click_type=WHOLE, hidden=True),
    namespace: str = NAMESPACE,
) -> int:  # fmt: skip
    """Show a running swarm in the browser, simulated or real."""
    for name, given, why in (
        ('--host', host, 'a stream has no token; see docs/view.md'),
        ('--operate', operate, 'other viewers give no orders'),
    ):
        refuse_together(('--stream', stream), (name, given), why=why)
    check_radius(radius)
    check_stream(stream, port=port)
    said = Said(agents, scenario, restarts)
    said_whom((), agents, scenario)
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    parent, interrupt = ParentProcess(), Interrupt()  # ctrl-C ends it, and is no failure
    kind = partial(_kind, radius)
    if stream is not None:
        return _stream(stream, port, fleet, kind, lambda: bool(interrupt) or parent.is_gone)
    listener = _listener(host or HERE, port)
    with operating(VERB, kind, fleet) as node, listener, operator_of(fleet, operate, said) as who:
        serve(node, listener, host, lambda: parent.is_gone, who)
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
    with operating(VERB, kind, fleet) as node, live_sink(stream, number) as sink:
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
    for one in tried:
        found = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, one))
            found.listen()
        except OSError as error:
            found.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise RunError(f'--host {host} is no address of this computer') from None
            fault = error.strerror
        else:
            return found
    where = f'--port {port}' if port else f'ports {PORT} to {PORT + MORE_PORTS - 1}'
    raise RunError(f'{where} on {host}: {fault}; choose another by --port')


def _kind(radius: Optional[float]) -> Callable[[Fleet], 'ViewNode']:
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

    return partial(ViewNode, radius=math.nan if radius is None else radius)
