"""``swarm view``: a page on this computer that shows a running swarm."""

import secrets
from typing import Optional

import typer

from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.cli.output import say
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import named_fleet

PORT = 8765


def view(
    port: int = typer.Option(PORT, '--port', min=1, max=65535, help='Port of the page.'),
    host: Optional[str] = typer.Option(
        None, '--host', help='Address to answer on, for other computers; they need the token.'
    ),
    namespace: str = typer.Option('/', '--namespace', help='Namespace of the fleet.'),
) -> int:
    """Show a running swarm in the browser: simulated or real, before, during or after its run."""
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    with operating('swarm view', _kind, fleet) as node:
        import uvicorn

        from soliton_encirclement_ros.cli.live.live_feed import LiveFeed
        from soliton_encirclement_ros.cli.live.live_page import live_page
        from soliton_encirclement_ros.cli.live.live_server import LiveServer

        token = secrets.token_urlsafe(16) if host else ''
        feed = LiveFeed(node.update, lambda: node.picture, node.vehicles)
        server = LiveServer(feed, live_page(fleet.namespace or 'swarm'), say, token)
        say(f'http://{host or "localhost"}:{port}/{f"?token={token}" if token else ""}')
        config = uvicorn.Config(
            server.app, host=host or '127.0.0.1', port=port, log_level='critical',
            ws_max_size=65536,
        )  # fmt: skip
        try:
            uvicorn.Server(config).run()
        except SystemExit as error:
            raise RunError(f'--port {port}: in use by another program: choose another') from error
    return 0


def _kind() -> type:
    from soliton_encirclement_ros.cli.live.view_node import ViewNode

    return ViewNode
