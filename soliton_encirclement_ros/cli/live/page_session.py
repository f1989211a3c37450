"""A live page from its first request to its end: the server, and the operator behind it."""

import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from soliton_encirclement_ros.cli.operator.whom import said_whom
from soliton_encirclement_ros.cli.output import say
from soliton_encirclement_ros.core.states.swarm_topics import Fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.live.page_operator import PageOperator
    from soliton_encirclement_ros.cli.live.view_node import ViewNode


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


def serve(
    node: 'ViewNode', listener: socket.socket, host: Optional[str], is_over: Callable[[], bool],
    operator: 'PageOperator | None',
) -> None:  # fmt: skip
    """Serve the page of a swarm until ctrl-C.

    Args:
        node: Who listens to the swarm.
        listener: The socket.
        host: The address that others are answered on, by a token; None: nobody is.
        is_over: Returns whether to end.
        operator: Who gives the orders of the page; None: it gives none.
    """
    import uvicorn

    from soliton_encirclement_ros.cli.live.live_feed import LiveFeed
    from soliton_encirclement_ros.cli.live.live_page import live_page
    from soliton_encirclement_ros.cli.live.live_server import LiveServer
    from soliton_encirclement_ros.cli.live.page_order import LONGEST

    def more() -> dict[str, Any]:
        can = operator.can if operator else ()
        return {
            'simulation': node.simulation, 'source': node.source, 'period': node.period_ms,
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
def operator_of(fleet: Fleet, is_wanted: bool, said: Said) -> 'Iterator[PageOperator | None]':
    """Lend an operator for the orders of the pages, where that is wanted."""
    if not is_wanted:
        yield None
        return
    from velocity_mobility_ros.ros_io.process.teardown import destroy

    from soliton_encirclement_ros.cli.fly.fly_node import FlyNode
    from soliton_encirclement_ros.cli.live.page_operator import VERB, PageOperator

    node = FlyNode(fleet, VERB)
    meant = said_whom((), said.agents, said.scenario)
    operator = PageOperator(node, fleet, meant, said.words, said.restarts)
    operator.start()
    try:
        yield operator
    finally:
        operator.close()
        destroy([node])
