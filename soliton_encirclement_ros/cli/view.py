"""``swarm view``: a page on this computer that shows a running swarm."""

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import typer
from velocity_mobility_ros.core.interrupt import Interrupt
from velocity_mobility_ros.core.parent_process import ParentProcess

from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.operator.whom import AGENTS, SCENARIO, said_whom
from soliton_encirclement_ros.cli.options.shared_options import NAMESPACE
from soliton_encirclement_ros.cli.output import say
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import Fleet, named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.live.page_operator import PageOperator
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

VERB = 'swarm view'
PORT, MORE_PORTS = 8765, 20
"""The first port that is tried, and how many after it."""

HERE = '127.0.0.1'


class Said(NamedTuple):
    """Who all vehicles are, as the command line says it; and the pipe to the run of the page."""

    agents: Optional[int]
    scenario: Optional[str]
    restarts: Optional[int]

    @property
    def words(self) -> list[str]:
        """The options again, for another command."""
        agents = [] if self.agents is None else ['--agents', str(self.agents)]
        return agents if self.scenario is None else [*agents, '--scenario', self.scenario]


def view(
    port: Optional[int] = typer.Option(
        None, '--port', min=1, max=65535, help=f'Port of the page; by default {PORT}, or the '
        'next one that is free.',
    ),
    host: Optional[str] = typer.Option(
        None, '--host', help='Address of this computer to answer others on; they need the token.'
    ),
    operate: bool = typer.Option(
        False, '--operate', help='Let the page give orders, as swarm fly and swarm stop do.'
    ),
    agents: Optional[int] = AGENTS,
    scenario: Optional[str] = SCENARIO,
    restarts: Optional[int] = typer.Option(None, '--restarts', hidden=True),
    namespace: str = NAMESPACE,
) -> int:  # fmt: skip
    """Show a running swarm in the browser, simulated or real; ctrl-C ends it."""
    said = Said(agents, scenario, restarts)
    said_whom((), agents, scenario)
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    parent, listener = ParentProcess(), _listener(host or HERE, port)
    Interrupt()  # ctrl-C ends the server, and is no failure
    with operating(VERB, _kind, fleet) as node, listener, _operator(operate, fleet, said) as who:
        _serve(node, fleet, listener, host, parent, who)
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


def _serve(
    node: 'ViewNode', fleet: Fleet, listener: socket.socket, host: str | None,
    parent: ParentProcess, operator: 'PageOperator | None',
) -> None:  # fmt: skip
    import uvicorn

    from soliton_encirclement_ros.cli.live.live_feed import LiveFeed
    from soliton_encirclement_ros.cli.live.live_page import live_page
    from soliton_encirclement_ros.cli.live.live_server import LiveServer
    from soliton_encirclement_ros.cli.live.page_order import LONGEST

    def more() -> dict[str, Any]:
        return {'simulation': node.simulation, 'can': operator.can if operator else ()}

    token = secrets.token_urlsafe(16) if host else ''
    lines = operator.lines if operator else tuple
    feed = LiveFeed(node.update, lambda: node.picture, node.vehicles, lines, more)
    page = live_page(fleet.namespace.strip('/') or 'swarm', operator is not None)
    obey = operator.ask if operator else None
    server = LiveServer(feed, page, say, token, lambda: parent.is_gone, obey)
    ending = f'?token={token}' if token else ''
    name = 'localhost' if host is None else f'[{host}]' if ':' in host else host
    say(f'live page: http://{name}:{listener.getsockname()[1]}/{ending}')
    config = uvicorn.Config(
        server.app, log_level='critical', timeout_graceful_shutdown=1, ws_max_size=LONGEST
    )
    uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _operator(wanted: bool, fleet: Fleet, said: Said) -> Iterator['PageOperator | None']:
    """Lend an operator for the orders of the pages, where that is wanted."""
    if not wanted:
        yield None
        return
    from velocity_mobility_ros.ros_io.process.teardown import destroy

    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
    from soliton_encirclement_ros.cli.live.page_operator import PageOperator

    node = FlyNode(fleet, VERB)
    meant = said_whom((), said.agents, said.scenario)
    operator = PageOperator(node, fleet, meant, said.words, said.restarts)
    operator.start()
    try:
        yield operator
    finally:
        operator.close()
        destroy([node])


def _kind() -> 'type[ViewNode]':
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

    return ViewNode
