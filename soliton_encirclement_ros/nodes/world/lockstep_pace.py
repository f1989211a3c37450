"""When the next tick of a lockstep run may come: at once, at a pace, by steps, or not yet."""

import time
from collections.abc import Callable

from rclpy.node import Node
from rclpy.timer import Timer
from std_srvs.srv import SetBool, Trigger

from soliton_encirclement_ros.core.states.swarm_topics import PAUSE, STEP


class LockstepPace:
    """Paces a run by its real-time factor, and lets operators pause and step it.

    Offers the services ``pause`` (``std_srvs/SetBool``; true pauses) and ``step``
    (``std_srvs/Trigger``; one tick of a run that is paused) below the node's name.

    Attributes:
        factor: Simulated seconds per second; 0: as fast as possible.
        is_paused: Whether an operator has paused the run.
    """

    def __init__(
        self, node: Node, period: float, factor: float, tick: Callable[[], int],
        go_on: Callable[[], None],
    ) -> None:  # fmt: skip
        """Offer the services; the run may go on once it has begun.

        Args:
            node: The world's node.
            period: The control period [s].
            factor: Simulated seconds per second; 0: as fast as possible.
            tick: Returns the present tick.
            go_on: Called when a run that waits may go on.
        """
        self._node, self._period, self._tick, self._go_on = node, period, tick, go_on
        self.factor, self.is_paused = factor, False
        self._granted = self._steps = 0
        self._timer: Timer | None = None
        self._paused_at = self._paused_for = 0.0
        node.create_service(SetBool, f'~/{PAUSE}', self._on_pause)
        node.create_service(Trigger, f'~/{STEP}', self._on_step)

    def begin(self) -> None:
        """Begin to count ticks, or begin anew."""
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
            self._timer = None
        self._granted = self._tick()
        if self.factor > 0.0:
            self._timer = self._node.create_timer(self._period / self.factor, self._grant)

    def change(self, factor: float) -> None:
        """Go on at another pace."""
        self.factor = factor
        self.begin()
        self._go_on()

    def admits_tick(self) -> bool:
        """Return whether the next tick may come now; a step counts as used."""
        if self.is_paused:
            self._steps, is_step = max(0, self._steps - 1), self._steps > 0
            return is_step
        return self.factor == 0.0 or self._tick() < self._granted

    def paused(self) -> float:
        """Return for how long [s] the run has been paused by now, all pauses together."""
        present = time.monotonic() - self._paused_at if self.is_paused else 0.0
        return self._paused_for + present

    def _grant(self) -> None:
        self._granted += 1
        self._go_on()

    def _on_pause(self, request: SetBool.Request, response: SetBool.Response) -> SetBool.Response:
        response.success = True
        if request.data == self.is_paused:
            response.message = f'already {"paused" if self.is_paused else "running"}'
            return response
        self._paused_for = self.paused()
        self._paused_at, self.is_paused, self._steps = time.monotonic(), request.data, 0
        response.message = f'{"paused" if request.data else "runs on"} at tick {self._tick()}'
        self._node.get_logger().info(response.message)
        if not request.data:
            self.begin()
            self._go_on()
        return response

    def _on_step(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success = self.is_paused
        if self.is_paused:
            self._steps += 1
            self._go_on()
            response.message = f'tick {self._tick()}, {self._tick() * self._period:g} s'
        else:
            response.message = 'the run is not paused: call pause first'
        return response
