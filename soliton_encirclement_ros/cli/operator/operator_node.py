"""The node of an operator: gives orders, and reads who is there and who obeys.

Nothing spins: topics are polled and the graph is asked.
"""

import getpass
import os
import platform

from soliton_encirclement_ros.cli.operator.members_node import MembersNode
from soliton_encirclement_ros.core.states.swarm_topics import STOP, Fleet
from soliton_encirclement_ros.nodes.stop.stop_topic import StopTopic


def operator_name(verb: str = 'swarm stop') -> str:
    """Return who gives orders here, as members show it.

    Args:
        verb: The command that gives them.
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container without an entry for it
        user = f'user {os.getuid()}'
    return f'{user}@{platform.node()[:60]} ({verb}, process {os.getpid()})'


class OperatorNode(MembersNode):
    """One operator."""

    def __init__(self, fleet: Fleet) -> None:
        """Listen to a fleet."""
        super().__init__(f'swarm_stop_{os.getpid()}', fleet)
        self.refusals: list[str] = []
        self.orders = StopTopic(self, fleet, '', lambda _, reason: self.refusals.append(reason))

    def update(self) -> None:
        """Take what has arrived."""
        self.orders.update()
        super().update()

    def fleets(self) -> list[str]:
        """Return the namespaces of all fleets that somebody can stop, ``/`` for the root."""
        ending = f'/{STOP}'
        topics = [topic for topic, _ in self.get_topic_names_and_types()]
        spaces = {topic.removesuffix(ending) for topic in topics if topic.endswith(ending)}
        return sorted(space or '/' for space in spaces - {self._fleet.namespace})
