"""Nodes of commands: they know the members of a fleet, give orders, and ask services of others.

Members are those that discovery finds, and those that these have heard. What discovery still lacks
is reported as far as this computer knows.
Nothing spins: topics are polled and the graph is asked.
"""

import getpass
import math
import os
import platform
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import rclpy
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.task import Future

from soliton_encirclement_ros.cli.operator.addressees import (
    MemberReport, are_full_names, match_names, member_report, members_named, missing_members,
    short_name, unmatched_patterns
)
from soliton_encirclement_ros.cli.operator.ros_context import bare_node_options
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY, AGENT, DIAGNOSTICS, MAX_MEMBERS, MEMBERS, MORE_MEMBERS, SAFETY, STOP, TARGET, Fleet,
    uav_id
)
from soliton_encirclement_ros.nodes.stop_topic import StopTopic
from velocity_mobility_ros.core.environment.network import participants
from velocity_mobility_ros.core.environment.ros_environment import is_alone
from velocity_mobility_ros.ros_io.graph_faults import (
    HOST, UNKNOWN_NODE, TopicEndpointInfo, all_ends
)
from velocity_mobility_ros.ros_io.polling import PollingNode, received

STATUSES = QoSProfile(
    depth=2000, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""All members of a large swarm may report at once."""

MEMBER_NODES = (AGENT, TARGET, ADVERSARY, SAFETY)

MEMBERS_PERIOD = 0.2
"""Time between two looks at the graph [s]: each takes some milliseconds."""


class MembersNode(PollingNode):
    """Listens to a fleet."""

    def __init__(self, name: str, fleet: Fleet) -> None:
        """Begin to listen.

        Args:
            name: Name of the node.
            fleet: The fleet.
        """
        super().__init__(name, **bare_node_options())
        self._fleet = fleet
        self._orders_topic = self.resolve_topic_name(fleet.full_name(STOP))
        self._statuses = self.hidden_fixed(DiagnosticArray, DIAGNOSTICS, STATUSES)
        self.reports: dict[str, MemberReport] = {}
        self._listed_members: frozenset[str] = frozenset()
        self._members, self._looked_at = frozenset[str](), -math.inf

    def update(self) -> None:
        """Take what has arrived."""
        for message in received(self._statuses, DiagnosticArray):
            for status in message.status:
                values = {pair.key: pair.value for pair in status.values}
                report = member_report(values, status.message)
                if report is not None:
                    if status.hardware_id in self.reports or len(self.reports) < MAX_MEMBERS:
                        self.reports[status.hardware_id] = report
                elif MEMBERS in values and self._has(f'/{status.hardware_id}'):
                    self._listed_members = members_named(values)

    def members(self) -> list[str]:
        """Return the namespaces of all members that are known, without the first slash.

        Discovery tells about nodes, their subscriptions and their messages at different times, so
        each counts: a member's node, its subscription to orders, whoever reports, and whoever is
        heard by one that reports or by the monitor. Another listener, such as a plotter, is none.
        """
        now = time.monotonic()
        if now - self._looked_at >= MEMBERS_PERIOD:
            self._looked_at, self._members = now, self._in_graph()
        heard = {f'/{space}' for space in self.reports if self._has(f'/{space}')}
        heard |= {self._fleet.namespace_of(name) for name in self.heard_names() - {MORE_MEMBERS}}
        return sorted(space.strip('/') for space in self._members | heard)

    def heard_names(self) -> frozenset[str]:
        """Return the short names of members that other members report."""
        own = (report.heard for space, report in self.reports.items() if self._has(f'/{space}'))
        return self._listed_members.union(*own)

    @property
    def is_agreed(self) -> bool:
        """Whether the known members are all: several hear each other, and nobody else.

        One that hears nobody may be alone, or out of the reach of the others.
        """
        heard = self.heard_names()
        return len(self.members()) > 1 and bool(heard) and MORE_MEMBERS not in heard

    def _in_graph(self) -> frozenset[str]:
        """Return the full namespaces of the members that discovery has found."""
        listeners = self.get_subscriptions_info_by_topic(self._orders_topic)
        spaces = {end.node_namespace for end in listeners if end.node_name in MEMBER_NODES}
        nodes = self.get_node_names_and_namespaces()
        spaces |= {space for name, space in nodes if name in MEMBER_NODES and self._has(space)}
        shared = ('/', self._fleet.namespace_of(''))
        return frozenset(space for space in spaces if space not in shared)

    def unnamed_listeners(self) -> dict[str, str]:
        """Return listeners to orders whose nodes discovery has not named yet, as missing."""
        listeners = self.get_subscriptions_info_by_topic(self._orders_topic)
        count = sum(end.node_name == UNKNOWN_NODE for end in listeners)
        return {f'{count} more nodes': 'not identified yet'} if count else {}

    def _has(self, space: str) -> bool:
        """Return whether a namespace is directly in that of the fleet."""
        return space.rpartition('/')[0] == self._fleet.namespace

    def member_reports(self) -> dict[str, MemberReport]:
        """Return the reports of the members of the fleet."""
        return {
            member: report for member, report in self.reports.items() if self._has(f'/{member}')
        }


def operator_name(verb: str = 'swarm stop') -> str:
    """Return the name of this operator, as members show it.

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
        self.orders = StopTopic(self, fleet, '', lambda *_: None)

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


NEARLY_ALL = '/parameter_events'
"""A topic that nearly every node publishes."""

PROCESS = 12
"""Bytes of an identifier of Fast DDS that are the same for all endpoints of a process."""


def discovery_gaps(node: Node, is_thorough: bool = False) -> str:
    """Return as text what the graph still lacks; empty: nothing.

    Linux tells how many processes with ROS this computer has. Those of other computers are not
    counted.

    Args:
        node: Any node.
        is_thorough: Whether to look for programs with DDS alone, such as MicroXRCEAgent, too: it
            takes a hundred times as long.
    """
    domain = node.context.get_domain_id()
    running = sum(participant.domain == domain for participant in participants())
    ends = node.get_publishers_info_by_topic(NEARLY_ALL)
    own = own_process(node)
    if is_thorough and len(_local_processes(ends, own)) < running:
        ends = all_ends(node)
    missing = running - len(_local_processes(ends, own))
    unnamed = {process(end) for end in ends if end.node_name == UNKNOWN_NODE}
    texts = []
    if missing > 0:
        texts.append(f'{missing} of {running} other processes on this computer are not found')
    if unnamed:
        texts.append(f'{len(unnamed)} processes that are found have not named their nodes')
    return ', '.join(texts)


def process(end: TopicEndpointInfo) -> bytes:
    """Return the identifier of the process that an endpoint belongs to."""
    return bytes(end.endpoint_gid[:PROCESS])


def own_process(node: Node) -> bytes:
    """Return the identifier of the process of a node, empty while it is not known."""
    ends = node.get_publishers_info_by_topic(NEARLY_ALL)
    own = node.get_name(), node.get_namespace()
    return next((process(end) for end in ends if (end.node_name, end.node_namespace) == own), b'')


def _local_processes(ends: Iterable[TopicEndpointInfo], own: bytes) -> set[bytes]:
    """Return the processes of this computer, but the own one."""
    return {other for end in ends if (other := process(end))[:HOST] == own[:HOST]} - {own}


SETTLE_TIME, UNKNOWN_SETTLE_TIME = 0.4, 1.2
"""Time without a change of the graph [s] after which all are found: where it is known who there
is, and where it is not."""

NAMED_SEARCH, LONGEST_SEARCH = 5.0, 10.0
"""Longest search [s]: for who is not found, and while discovery has not ended."""

ANSWER_TIME = 3.0
"""Longest wait for an answer [s]."""

TURN, SHORT_TURN = 0.02, 0.005
"""Wall time [s] between two looks at the graph, and at answers."""

SERVICES_PERIOD = 0.15
"""Time between two looks at the whole graph [s]: on a busy machine they would slow discovery."""


class GraphNode(MembersNode):
    """Finds services, and calls them.

    Attributes:
        root: Namespace of the fleet, without a slash at the end.
        missing_members: Members that the last search looked for and has not found.
        discovery_gaps: As text, what discovery still lacked when the last search ended.
    """

    def __init__(self, fleet: Fleet) -> None:
        """Begin discovery."""
        super().__init__(f'swarm_graph_{os.getpid()}', fleet)
        self.root = fleet.namespace
        self.missing_members: list[str] = []
        self.discovery_gaps = ''

    def owners(
        self, service: str, patterns: Sequence[str], what: str,
        kinds: Collection[str] = MEMBER_NODES,
    ) -> list[str]:  # fmt: skip
        """Return the owners of a service: the part before its name.

        Args:
            service: Its name, such as ``fail``.
            patterns: Addressed names, as of ``match_names``; none: all.
            what: What they are, in errors.
            kinds: Nodes of members that offer it.

        Raises:
            NoMatchError: A pattern matches nothing.
        """
        ending = f'/{service}'

        def look() -> list[str]:
            names = [name for name, _ in self.get_service_names_and_types()]
            return sorted(name.removesuffix(ending) for name in names if name.endswith(ending))

        return self.find(look, patterns, what, kinds)

    def find(
        self, look: Callable[[], Collection[str]], patterns: Sequence[str], what: str,
        kinds: Collection[str] = (),
    ) -> list[str]:  # fmt: skip
        """Return the names that match, sorted, once discovery has settled.

        That is: every process of this computer is found and has named its nodes, every member
        that a pattern means is found, and nothing has changed for a while.

        Args:
            look: Returns the names that are known by now, perhaps with data of each.
            patterns: Addressed names, as of ``match_names``; none: all.
            what: What they are, in errors.
            kinds: Nodes of members of which one has to be found.

        Raises:
            NoMatchError: A pattern matches nothing.
        """
        began = changed = looked_at = time.monotonic()
        last_state: object = None
        while not are_full_names(names := sorted(view := look()), patterns, self.root):
            if patterns and time.monotonic() - looked_at < SERVICES_PERIOD:
                time.sleep(TURN)
                continue
            looked_at = time.monotonic()
            self.update()
            members = [
                f'/{member}' for member in (self.members() if kinds else ())
                if TARGET in kinds or uav_id(short_name(member)) is not None
            ]  # fmt: skip
            self.missing_members = missing_members(names, patterns, self.root, members, kinds)
            is_stuck = looked_at - changed > UNKNOWN_SETTLE_TIME
            self.discovery_gaps = discovery_gaps(self, is_stuck)
            now, state = time.monotonic(), (view, self.discovery_gaps)
            if state != last_state:
                last_state, changed = state, now
            if self._is_over(names, patterns, now - began, now - changed):
                return match_names(names, patterns, self.root, what) if patterns else names
            time.sleep(TURN if patterns else SERVICES_PERIOD)
        self.missing_members, self.discovery_gaps = [], ''  # who is named is found
        return match_names(names, patterns, self.root, what)

    def _is_over(
        self, names: Sequence[str], patterns: Sequence[str], passed: float, idle: float
    ) -> bool:
        """Return whether a search has found all, or has to be given up.

        Args:
            names: Names that are found.
            patterns: Addressed names.
            passed: Time since its beginning [s].
            idle: Time since the last change of the graph [s].
        """
        if self.discovery_gaps:
            return passed > LONGEST_SEARCH
        if not names or self.missing_members or unmatched_patterns(names, patterns, self.root):
            return passed > NAMED_SEARCH or (is_alone() and idle > UNKNOWN_SETTLE_TIME)
        is_known = self.is_agreed if patterns else is_alone()
        return idle > (SETTLE_TIME if is_known else UNKNOWN_SETTLE_TIME)

    def ask(self, kind: Any, requests: Mapping[str, Mapping[str, object]]) -> dict[str, Any]:
        """Ask several services at once; return the answers of those that answer in time.

        Args:
            kind: Their type.
            requests: Fields of the request by name of the service.
        """
        clients = {service: self.create_client(kind, service) for service in requests}
        answers: dict[str, Future] = {}
        until = time.monotonic() + ANSWER_TIME
        while time.monotonic() < until:
            for service, client in clients.items():
                if service not in answers and client.service_is_ready():
                    answers[service] = client.call_async(kind.Request(**requests[service]))
            if len(answers) == len(clients) and all(future.done() for future in answers.values()):
                break
            rclpy.spin_once(self, timeout_sec=SHORT_TURN)
        for client in clients.values():
            self.destroy_client(client)
        return {service: future.result() for service, future in answers.items() if future.done()}
