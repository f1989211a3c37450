"""Lends a node that asks others to a command."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.core.states.fleet_names import named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

NAMESPACE = typer.Option('', help='Namespace of the fleet.')


@contextmanager
def graph_session(verb: str, namespace: str) -> Iterator['GraphNode']:
    """Lend a node.

    Args:
        verb: The command, named in errors.
        namespace: Namespace of the fleet, as the user wrote it.

    Raises:
        RunError: ROS is not installed.
    """
    fleet = named_fleet(namespace, '--namespace')
    check_environment()
    with operating(verb, _kind, fleet) as node:
        yield node


def _kind() -> type['GraphNode']:
    from soliton_encirclement_ros.cli.graph.graph_node import GraphNode

    return GraphNode
