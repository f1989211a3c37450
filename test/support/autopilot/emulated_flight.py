"""A bridge and an emulated vehicle on one clock, without ROS: what all autopilots share."""

import math

from velocity_mobility_ros.autopilot.bridge.bridge import Bridge
from velocity_mobility_ros.autopilot.engage.records import Request
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

DT = 0.02
PLACE = 47.397742, 8.545594, 488.0


class EmulatedFlight:
    """One vehicle and its bridge; attributes can be changed at any time.

    A subclass has ``truth`` and ``is_armed``, lets the vehicle go on and takes what it sends in
    ``_advance``, and sends in ``_send``.
    """

    def __init__(self, parameters, traits, now=0.0):
        self.parameters, self.now, self.out = parameters, now, None
        self.bridge = Bridge(parameters, traits)
        self.command = None
        self.in_body = self.is_frozen = False
        self.states = []

    def tick(self, request=None):
        """Make one step of the vehicle and of the bridge."""
        self.now += DT
        self._advance()
        if self.command is not None:
            self.bridge.command(self.command, self.in_body, self.now)
        if self.is_frozen:
            return self.out
        self._before_step(request)
        self.out = self.bridge.step(self.now, request=request)
        self._send(self.out)
        self.states.append(self.out.engage.state)
        return self.out

    def _before_step(self, request):
        """Look at what the operator asks for."""

    def run(self, seconds, until=None):
        """Go on for some time, or until a state is reached."""
        for _ in range(round(seconds / DT)):
            self.tick()
            if self.state is until:
                break
        return self.out

    def ask(self, request):
        """Let the operator ask for something; return whether it was accepted, and the answer."""
        out = self.tick(request).engage
        return not out.refused, out.reason

    def take_off(self):
        """Be in the air, holding."""
        self.run(8.0, State.READY)
        assert self.state is State.READY, self.reason
        self.run(1.0)
        assert self.ask(Request.TAKE_OFF)[0], self.reason
        self.run(40.0, State.HOLD)
        assert self.state is State.HOLD, (self.state, self.reason)

    def track(self, east=0.0, north=0.0, up=0.0, turn=0.0):
        """Follow a velocity."""
        self.command = Motion((east, north, up), turn)
        self.tick()
        assert self.ask(Request.ENGAGE)[0], self.reason
        self.run(0.1)
        assert self.state is State.TRACK, (self.state, self.reason)

    @property
    def state(self):
        return self.out.engage.state

    @property
    def reason(self):
        return self.out.engage.reason

    def speed(self):
        """Return the true horizontal speed [m/s]."""
        return math.hypot(*self.truth.velocity[:2])

    def moved_since(self, start):
        """Return east and north [m] of the true way since a place."""
        north = math.radians(self.truth.latitude - start.latitude) * 6.37e6
        east = math.radians(self.truth.longitude - start.longitude) * 6.37e6
        return east * math.cos(math.radians(start.latitude)), north
