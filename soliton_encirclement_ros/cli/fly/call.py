"""A call of a service of a bridge that nobody waits for: its answer is looked at now and then."""

import time

from rclpy.client import Client
from rclpy.task import Future
from std_srvs.srv import Trigger

LONGEST = 5.0
"""Time after which a call is made again: a bridge that restarts forgets it [s]."""


class Call:
    """One order to one vehicle."""

    def __init__(self, client: Client, times: int) -> None:
        """Call it for the first time.

        Args:
            client: Client of the service, which is there.
            times: How often to call it; the last answer counts.
        """
        self._client, self._left = client, times - 1
        self.began = time.monotonic()
        self._sent, self._future = self.began, self._ask()

    def _ask(self) -> Future:
        self._sent = time.monotonic()
        return self._client.call_async(Trigger.Request())

    def update(self) -> Trigger.Response | None:
        """Go on; return the last answer once it is there."""
        if not self._future.done():
            if time.monotonic() - self._sent > LONGEST and self._client.service_is_ready():
                self._client.remove_pending_request(self._future)
                self._future = self._ask()
            return None
        answer: Trigger.Response = self._future.result()
        if self._left and not answer.success:
            self._left -= 1
            self._future = self._ask()
            return None
        return answer
