"""Emulated vehicles by the wall clock, or faster: messages in when they came, steps, and out."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from rclpy.node import Node

from support.px4_emulator.emulator import Px4Emulator
from support.px4_emulator.ros.endpoints import Endpoints

PERIOD_NS = 10_000_000


class Member:
    """A vehicle and its endpoints; times are monotonic [ns] from the start."""

    def __init__(
        self, vehicle: Px4Emulator, make: Callable[[], Endpoints], speed: float = 1.0
    ) -> None:
        """Remember how the endpoints are made, which come and go with the agent."""
        self.vehicle, self._make, self._speed = vehicle, make, speed
        self._endpoints: Endpoints | None = None
        self._reached = 0

    def turn(self, clock: Callable[[], tuple[int, int]]) -> None:
        """Go on to the time after which nothing more was taken.

        Args:
            clock: Returns the time, and the Unix time of the start [ns].
        """
        self._come_or_go()
        arrivals = [] if self._endpoints is None else self._endpoints.arrivals()
        now, epoch = clock()
        for arrival in arrivals:
            sent = min(round(self._speed * (arrival.sent_ns - epoch)), now)
            self._advance(sent)
            self.vehicle.receive(arrival.topic, arrival.message, 1e-9 * sent)
        if self._endpoints is not None:
            self._endpoints.serve()
        self._advance(now)

    def _come_or_go(self) -> None:
        if self.vehicle.is_in_graph and self._endpoints is None:
            self._endpoints = self._make()
        if not self.vehicle.is_in_graph and self._endpoints is not None:
            self._endpoints.close()
            self._endpoints = None

    def _advance(self, until: int) -> None:
        if until > self._reached:
            sent = self.vehicle.step(1e-9 * (until - self._reached))
            self._reached = until
            if self._endpoints is not None:
                self._endpoints.send(sent)


class Loop:
    """All vehicles of a process, by a clock so many times as fast as that of the wall."""

    def __init__(self, node: Node, vehicles: Sequence[Px4Emulator], speed: float = 1.0) -> None:
        self.members = [
            Member(vehicle, partial(Endpoints, node, vehicle), speed) for vehicle in vehicles
        ]
        self._start, self._speed = time.monotonic_ns(), speed

    @property
    def now(self) -> float:
        """Time since the start [s]."""
        return 1e-9 * self._speed * (time.monotonic_ns() - self._start)

    def turn(self) -> None:
        """Bring all to the present time, then wait for the next period."""
        for member in self.members:
            member.turn(self._clock)
        rest = PERIOD_NS - (time.monotonic_ns() - self._start) % PERIOD_NS
        time.sleep(1e-9 * rest)

    def _clock(self) -> tuple[int, int]:
        passed = time.monotonic_ns() - self._start
        return round(self._speed * passed), time.time_ns() - passed
