"""Requests to an autopilot that offers services."""

from collections.abc import Callable, Mapping
from typing import Any

from velocity_mobility_ros.autopilot.outputs import Action, Answer
from velocity_mobility_ros.autopilot.service_call import ServiceCall
from velocity_mobility_ros.ros_io.polled_client import PolledClient
from velocity_mobility_ros.ros_io.polling import PollingNode

Read = Callable[[Action, Any, float], Answer | None]
"""Reads a response to a request for an action, which came at a time [s]."""


class ServiceRequests:
    """Calls services and keeps the answers until they are asked for.

    Attributes:
        clients: Client by service.
    """

    def __init__(
        self, node: PollingNode, prefix: str, kinds: Mapping[str, type], read: Read
    ) -> None:  # fmt: skip
        """Open the clients.

        Args:
            node: The node.
            prefix: What comes before the names of the services.
            kinds: Class by service.
            read: Reads the responses.
        """
        self.clients = {
            service: PolledClient(node, kind, f'{prefix}/{service}')
            for service, kind in kinds.items()
        }
        self._read, self._answers = read, []
        self._now = 0.0

    def ask(self, action: Action, call: ServiceCall) -> None:
        """Ask for an action."""

        def done(response: Any) -> None:
            answer = self._read(action, response, self._now)
            if answer is not None:
                self._answers.append(answer)

        self.clients[call.service].call(call.fields, done)

    def poll(self, now: float) -> None:
        """Read what has arrived.

        Args:
            now: Monotonic time [s].
        """
        self._now = now
        for client in self.clients.values():
            client.poll()

    def answers(self) -> list[Answer]:
        """Return the answers since the last call."""
        found, self._answers = self._answers, []
        return found
