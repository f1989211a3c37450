"""A client of a service whose answers wait until the node asks for them, at its own period.

No executor sees it, so that it works as well while none spins: a node that hands over its vehicle
before it ends still needs answers.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from velocity_mobility_ros.ros_io.polling import PollingNode


class PolledClient:
    """One call at a time: a new one makes the answer to the last one void."""

    def __init__(self, node: PollingNode, kind: type, service: str) -> None:
        """Open the client.

        Args:
            node: The node.
            kind: Class of the service.
            service: Its name.
        """
        self._client = node.create_client(kind, service)
        node.hide_client(self._client)
        self._number: int | None = None
        self._done: Callable[[Any], None] | None = None

    @property
    def name(self) -> str:
        """The full name of the service."""
        return str(self._client.service_name)

    @property
    def is_ready(self) -> bool:
        """Whether somebody serves it."""
        return bool(self._client.service_is_ready())

    def call(self, fields: Mapping[str, Any], done: Callable[[Any], None]) -> None:
        """Send a request.

        Args:
            fields: Its fields by name.
            done: Gets the response, when it is asked for.
        """
        request = self._client.srv_type.Request(**fields)
        with self._client.handle:
            self._number = self._client.handle.send_request(request)
        self._done = done

    def poll(self) -> None:
        """Pass on the response if it has come."""
        for number, response in self._arrived():
            if number == self._number and self._done is not None:
                done, self._number, self._done = self._done, None, None
                done(response)

    def _arrived(self) -> Iterator[tuple[int, Any]]:
        kind = self._client.srv_type.Response
        while True:
            with self._client.handle:
                header, response = self._client.handle.take_response(kind)
            if header is None:
                return
            yield header.request_id.sequence_number, response
