"""A node that finds the services of others, and asks them."""

import os
import time
from collections.abc import Callable, Collection, Sequence
from typing import Any

import rclpy
from rclpy.node import Node

from soliton_encirclement_ros.cli.graph.name_patterns import chosen, is_pattern, unmatched
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.states.fleet_names import Fleet

NOBODY_NEW, LONGEST_SEARCH = 1.2, 5.0
"""Time without anybody new after which several are all that there are, and longest search [s]."""

ANSWER_TIME = 3.0
"""Longest wait for an answer [s]."""

TURN = 0.02


class GraphNode(Node):
    """Finds services, and calls them.

    Attributes:
        root: Namespace of the fleet, without a slash at the end.
    """

    def __init__(self, fleet: Fleet) -> None:
        """Begin discovery."""
        super().__init__(
            f'swarm_graph_{os.getpid()}', enable_rosout=False, start_parameter_services=False
        )
        self.root = fleet.namespace

    def owners(self, service: str, patterns: Sequence[str], what: str) -> list[str]:
        """Return who offers a service: what stands before its name.

        Args:
            service: Its name, such as ``fail``.
            patterns: Who is meant, as of ``chosen``; none: all.
            what: What they are, in errors.

        Raises:
            RunError: A pattern means nobody.
        """
        ending = f'/{service}'

        def look() -> list[str]:
            names = [name for name, _ in self.get_service_names_and_types()]
            return [name.removesuffix(ending) for name in names if name.endswith(ending)]

        return self.find(look, patterns, what)

    def find(
        self, look: Callable[[], Collection[str]], patterns: Sequence[str], what: str
    ) -> list[str]:
        """Return who is meant, sorted, when nobody new has come for a while.

        Args:
            look: Returns the names that are known by now.
            patterns: Who is meant, as of ``chosen``; none: all.
            what: What they are, in errors.

        Raises:
            RunError: A pattern means nobody.
        """
        began = changed = time.monotonic()
        found: list[str] = []
        while True:
            seen, now = sorted(look()), time.monotonic()
            if seen != found:
                found, changed = seen, now
            is_said = patterns and not any(map(is_pattern, patterns))
            is_settled = is_said or (found and now > changed + NOBODY_NEW)
            is_found = is_settled and not unmatched(found, patterns, self.root)
            if is_found or now > began + LONGEST_SEARCH:
                return chosen(found, patterns, self.root, what) if patterns else found
            time.sleep(TURN)

    def ask(self, kind: Any, service: str, **fields: object) -> Any:
        """Return the answer of a service.

        Raises:
            RunError: None comes in time.
        """
        client, until = self.create_client(kind, service), time.monotonic() + ANSWER_TIME
        client.wait_for_service(ANSWER_TIME)
        answer = client.call_async(kind.Request(**fields))
        left = max(0.1, until - time.monotonic())
        rclpy.spin_until_future_complete(self, answer, timeout_sec=left)
        self.destroy_client(client)
        if not answer.done():
            raise RunError(f'{service} does not answer within {ANSWER_TIME:g} s')
        return answer.result()
