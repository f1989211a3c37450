"""Checks of the ROS graph: nodes that are found, odometry that arrives, other domains."""

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.subscription import Subscription

from soliton_encirclement_ros.cli.computer_checks import ERROR, WARNING, Check, load
from soliton_encirclement_ros.cli.fly.gate import GateSettings
from soliton_encirclement_ros.cli.operator.operator_nodes import NEARLY_ALL
from soliton_encirclement_ros.cli.operator.ros_context import bare_node_options
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import Fleet
from velocity_mobility_ros.core.cdr_readers import MAX_LAYOUTS
from velocity_mobility_ros.core.environment.network import participants
from velocity_mobility_ros.core.environment.ros_environment import is_alone
from velocity_mobility_ros.core.user_errors import MalformedMessageError
from velocity_mobility_ros.ros_io.conditions import Level
from velocity_mobility_ros.ros_io.endpoints import POLLED_INPUT
from velocity_mobility_ros.ros_io.graph_faults import (
    found_hosts, mute_ends, published_as, several_publishers, why_mute, why_silent
)
from velocity_mobility_ros.ros_io.messages.serialized_messages import SerializedOdometry
from velocity_mobility_ros.ros_io.node_time import CLOCK
from velocity_mobility_ros.ros_io.polling import PollingNode, arrivals

LOOK_TIME, LISTEN_TIME = 1.5, 0.6
"""Time [s] in which others are found, from the first node on, and in which they are heard."""

PATIENCE = 10.0
"""Time [s] after which a computer that announces itself counts as not found."""

LOOK_PERIOD = 0.1

ODOMETRY = 'nav_msgs/msg/Odometry'

MOST_TOPICS = 50
"""Odometries that are listened to."""


class DoctorNode(PollingNode):
    """Looks at the graph and listens to every odometry that is published."""

    def __init__(self, fleet: Fleet) -> None:
        """Begin to observe the graph, of all fleets."""
        del fleet
        super().__init__(f'swarm_doctor_{os.getpid()}', **bare_node_options())
        self._started = time.monotonic()
        self._inputs: dict[str, Subscription] = {}
        self._reader = SerializedOdometry(MAX_LAYOUTS)
        self.offsets: dict[str, float] = {}
        self.heard: set[str] = set()

    def look(self) -> None:
        """Observe the graph until the time is over, and listen to every odometry that is found."""
        until = max(self._started + LOOK_TIME, time.monotonic() + LISTEN_TIME)
        while time.monotonic() < until:
            self._listen()
            time.sleep(LOOK_PERIOD)

    def look_for(self, announced: Callable[[], Mapping[str, bytes]]) -> None:
        """Observe the graph until all computers that announce themselves are found, for a time.

        Args:
            announced: Returns their addresses and identifiers.
        """
        while missing_hosts(self, announced()) and time.monotonic() < self._started + PATIENCE:
            self._listen()
            time.sleep(LOOK_PERIOD)

    def _listen(self) -> None:
        for topic in published_as(self, ODOMETRY):
            if topic not in self._inputs and len(self._inputs) < MOST_TOPICS:
                self._inputs[topic] = self.hidden(Odometry, topic, POLLED_INPUT)
        for topic, subscription in self._inputs.items():
            for arrival in arrivals(subscription, Odometry):
                self.heard.add(topic)
                with suppress(MalformedMessageError):  # it has no stamp
                    stamp_ns = self._reader.read(arrival.data).stamp_ns
                    offset = (stamp_ns - arrival.received_ns) * 1e-9
                    before = self.offsets.get(topic, math.inf)
                    self.offsets[topic] = min(before, offset, key=abs)

    @property
    def topics(self) -> list[str]:
        """The topics that are listened to."""
        return sorted(self._inputs)

    @property
    def silent(self) -> list[str]:
        """The topics on which nothing has arrived."""
        return [topic for topic in self._inputs if topic not in self.heard]


def missing_hosts(node: Node, announced: Mapping[str, bytes]) -> list[str]:
    """Return the addresses of computers that announce themselves, and are not found.

    Args:
        node: Any node.
        announced: Addresses and identifiers.
    """
    hosts = found_hosts(node)
    return sorted(address for address, host in announced.items() if host not in hosts)


def graph_checks(
    node: DoctorNode, announced: Mapping[int, Mapping[str, bytes]]
) -> Iterator[Check]:
    """Iterate over what the graph shows.

    Args:
        node: The node, after its observation.
        announced: Other computers that announce processes, by domain: address and identifier.
    """
    yield _other_nodes(node, announced)
    yield from _odometry(node)
    yield from _stamps(node)


def _other_nodes(node: DoctorNode, announced: Mapping[int, Mapping[str, bytes]]) -> Check:
    domain = node.context.get_domain_id()
    others = len(node.get_node_names()) - 1
    ends = node.get_publishers_info_by_topic(NEARLY_ALL)
    own = next(end for end in ends if end.node_name == node.get_name())
    value = f'{others} found' if others else 'none found'
    if mute := why_mute(mute_ends(ends), own, domain):
        return Check('other nodes', value, ERROR, mute)
    local = {other.domain for other in participants()}
    elsewhere = sorted({*local, *announced} - {domain})
    if elsewhere:
        places = [
            f'{other} ({named(sorted(announced.get(other, ["here"])))})' for other in elsewhere
        ]
        value += f'; domains of others: {named(places)}'
    if lost := [] if is_alone() else missing_hosts(node, announced.get(domain, {})):
        return _lost_check(value, lost, ERROR if others == 0 else WARNING)
    if others:
        return Check('other nodes', value)
    if domain in local:
        cure = 'processes of this domain run here: is their ROS_AUTOMATIC_DISCOVERY_RANGE OFF?'
        return Check('other nodes', value, WARNING, cure)
    cure = 'if these are meant, set ROS_DOMAIN_ID to theirs' if elsewhere else ''
    return Check('other nodes', value, WARNING if cure else 'ok', cure)


def _lost_check(value: str, addresses: list[str], verdict: str) -> Check:
    """Return the check for computers that announce themselves, and are not found."""
    cores, busy = load()
    text = f'{named(addresses)} announces processes in this domain, but '
    if busy > cores:
        cure = (
            f'{text}is not found in {PATIENCE:g} s on a busy machine (load {busy:.1f} on '
            f'{cores:g} cores): end other programs and try again'
        )
        return Check('other nodes', value, WARNING, cure)
    cure = (
        f'{text}answers do not get through: see the firewalls of both '
        '(docs/how_to/several_machines.md)'
    )
    return Check('other nodes', value, verdict, cure)


def _odometry(node: DoctorNode) -> Iterator[Check]:
    if node.heard:
        yield Check('odometry', f'arrives on {named(sorted(node.heard))}')
    for topic in node.silent:
        yield Check('odometry', f'silent: {topic}', ERROR, why_silent(node, topic))
    for topic in node.topics:
        for problem in several_publishers(node, topic, Level.WARN):
            yield Check('odometry', f'contradicts itself: {topic}', WARNING, problem.reason)


def _stamps(node: DoctorNode) -> Iterator[Check]:
    """Compare stamps of odometry with the local clock, where time is not simulated."""
    for problem in several_publishers(node, CLOCK, Level.ERROR):
        yield Check('simulated time', 'told by several', ERROR, problem.reason)
    if not node.offsets or node.count_publishers(CLOCK):
        return
    topic, offset = max(node.offsets.items(), key=lambda item: abs(item[1]))
    value = f'odometry is stamped within {abs(offset):.2f} s of the clock here'
    most = GateSettings().max_clock_offset
    if abs(offset) > most:
        cure = f'{topic}: at most {most:g} s; synchronise the clocks (chrony)'
        yield Check('stamps', value, ERROR, cure)
    else:
        yield Check('stamps', value)
