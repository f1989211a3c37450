"""A node that finds the services of others, and asks them."""

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import rclpy
from rclpy.task import Future
from velocity_mobility_ros.core.ros_environment import is_alone

from soliton_encirclement_ros.cli.graph.name_patterns import (
    absent,
    are_said,
    chosen,
    unmatched,
)
from soliton_encirclement_ros.cli.operator.member_reports import short_name
from soliton_encirclement_ros.cli.operator.members_node import MEMBER_NODES, MembersNode
from soliton_encirclement_ros.cli.operator.unfinished import unfinished
from soliton_encirclement_ros.core.states.swarm_topics import TARGET, Fleet, uav_id

AT_REST, NOBODY_NEW = 0.4, 1.2
"""Time without a change of the graph [s] after which all are found: where it is known who there
is, and where it is not."""

NAMED_SEARCH, LONGEST_SEARCH = 5.0, 10.0
"""Longest search [s]: for who is not found, and while discovery has not ended."""

ANSWER_TIME = 3.0
"""Longest wait for an answer [s]."""

TURN, SHORT_TURN = 0.02, 0.005

LOOK_PERIOD = 0.15
"""Time between two looks at the whole graph [s]: on a busy machine they would slow discovery."""


class GraphNode(MembersNode):
    """Finds services, and calls them.

    Attributes:
        root: Namespace of the fleet, without a slash at the end.
        absent: Members that the last search looked for and has not found.
        unfinished: What discovery had not found out when the last search ended, in words.
    """

    def __init__(self, fleet: Fleet) -> None:
        """Begin discovery."""
        super().__init__(f'swarm_graph_{os.getpid()}', fleet)
        self.root = fleet.namespace
        self.absent: list[str] = []
        self.unfinished = ''

    def owners(
        self, service: str, patterns: Sequence[str], what: str,
        kinds: Collection[str] = MEMBER_NODES,
    ) -> list[str]:  # fmt: skip
        """Return who offers a service: what stands before its name.

        Args:
            service: Its name, such as ``fail``.
            patterns: Who is meant, as of ``chosen``; none: all.
            what: What they are, in errors.
            kinds: Nodes of members that offer it.

        Raises:
            AbsentError: A pattern means nobody.
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
        """Return who is meant, sorted, when discovery has come to rest.

        That is: every process of this computer is found and has named its nodes, every member
        that a pattern means is found, and nothing has changed for a while.

        Args:
            look: Returns the names that are known by now, perhaps with what is known of them.
            patterns: Who is meant, as of ``chosen``; none: all.
            what: What they are, in errors.
            kinds: Nodes of members of which one has to be found.

        Raises:
            AbsentError: A pattern means nobody.
        """
        began = changed = looked_at = time.monotonic()
        seen: object = None
        while not are_said(found := sorted(view := look()), patterns, self.root):
            if patterns and time.monotonic() - looked_at < LOOK_PERIOD:
                time.sleep(TURN)
                continue
            looked_at = time.monotonic()
            self.update()
            members = self._members_with(kinds) if kinds else []
            self.absent = absent(found, patterns, self.root, members, kinds)
            is_stuck = looked_at - changed > NOBODY_NEW
            self.unfinished = unfinished(self, is_stuck)
            now, state = time.monotonic(), (view, self.unfinished)
            if state != seen:
                seen, changed = state, now
            if self._is_over(found, patterns, now - began, now - changed):
                return chosen(found, patterns, self.root, what) if patterns else found
            time.sleep(TURN if patterns else LOOK_PERIOD)
        self.absent, self.unfinished = [], ''  # who is named is found
        return chosen(found, patterns, self.root, what)

    def _members_with(self, kinds: Collection[str]) -> list[str]:
        """Return the full namespaces of the members that have a node of some kinds."""
        members = [f'/{one}' for one in self.members()]
        return [one for one in members if uav_id(short_name(one)) is not None or TARGET in kinds]

    def _is_over(
        self, found: Sequence[str], patterns: Sequence[str], passed: float, rest: float
    ) -> bool:
        """Return whether a search has found all, or is in vain.

        Args:
            found: Names that are found.
            patterns: Who is meant.
            passed: Time since its beginning [s].
            rest: Time since the last change of the graph [s].
        """
        if self.unfinished:
            return passed > LONGEST_SEARCH
        if not found or self.absent or unmatched(found, patterns, self.root):
            return passed > NAMED_SEARCH or (is_alone() and rest > NOBODY_NEW)
        is_known = self.is_agreed if patterns else is_alone()
        return rest > (AT_REST if is_known else NOBODY_NEW)

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
            if len(answers) == len(clients) and all(one.done() for one in answers.values()):
                break
            rclpy.spin_once(self, timeout_sec=SHORT_TURN)
        for client in clients.values():
            self.destroy_client(client)
        return {service: one.result() for service, one in answers.items() if one.done()}
