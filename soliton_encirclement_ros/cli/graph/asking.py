"""Lends a node that asks others to a command."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from soliton_encirclement_ros.cli.operator.operating import check_environment, operating
from soliton_encirclement_ros.core.states.fleet_names import named_fleet

if TYPE_CHECKING:
    from soliton_encirclement_ros.cli.graph.asking_node import AskingNode

NAMESPACE = typer.Option('', help='Namespace of the fleet.')


@contextmanager
def asking(verb: str, namespace: str) -> Iterator['AskingNode']:
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


def _kind() -> type['AskingNode']:
    from soliton_encirclement_ros.cli.graph.asking_node import AskingNode

    return AskingNode
