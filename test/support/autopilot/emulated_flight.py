"""A bridge and an emulated vehicle on one clock, without ROS: what all autopilots share."""

import math

from velocity_mobility_ros.autopilot.bridge import Bridge, BridgeParameters
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Request, State
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters
from velocity_mobility_ros.autopilot.swarm_frame import FrameParameters
from velocity_mobility_ros.core.twist_smoothing import Motion

DT = 0.02
PLACE = 47.397742, 8.545594, 488.0
ENGAGE = EngageParameters(
    operate=True, px4_offboard_loss_action='hold', px4_rc_policy='no remote control',
    ardupilot_failsafes='FS_GCS_ENABLE 5, BATT_FS_LOW_ACT 1', allow_kill=True,
)  # fmt: skip
FRAME = FrameParameters(
    origin_latitude=PLACE[0], origin_longitude=PLACE[1], origin_altitude=PLACE[2]
)

SAID = (Request.ENGAGE, Request.TAKE_OFF, Request.HOLD, Request.LAND, Request.RETURN)
"""Requests that allow the bridge what strict mode forbids it to do by itself."""


def guided(**changes):
    """Return parameters of a bridge with another guidance."""
    return BridgeParameters(ENGAGE, GuidanceParameters(**changes), FRAME)


class EmulatedFlight:
    """One vehicle and its bridge; attributes can be changed at any time.

    A subclass has ``truth``, ``mode`` and ``is_armed``, lets the vehicle go on and takes what it
    sends in ``_advance``, sends in ``_send_setpoint`` and ``_ask``; ``cut`` ends and mends its
    link, ``pilot_takes`` lets a pilot choose a mode of his.

    Attributes:
        setpoints, requests, heartbeats: All that the bridge has sent, with the time.
    """

    def __init__(self, traits, parameters=None, now=0.0):
        self.parameters, self.now, self.out = parameters or guided(), now, None
        self.bridge = Bridge(self.parameters, traits)
        self.command = None
        self.in_body = self.is_frozen = False
        self.states, self.setpoints, self.requests, self.heartbeats = [], [], [], []

    def tick(self, request=None):
        """Make one step of the vehicle and of the bridge."""
        self.now += DT
        self._advance()
        if self.command is not None:
            self.bridge.command(self.command, self.in_body, self.now)
        if self.is_frozen:
            return self.out
        if request in SAID:
            self._operator_word()
        self.out = out = self.bridge.step(self.now, request=request)
        self.states.append((self.now, out.engage.state))
        if out.heartbeat is not None:
            self.heartbeats.append((self.now, out.heartbeat))
            self._send_heartbeat(out.heartbeat)
        if out.setpoint is not None:
            self.setpoints.append((self.now, out.setpoint))
            self._send_setpoint(out.setpoint)
        if out.engage.send is not None:
            self.requests.append((self.now, out.engage.send))
            self._ask(out.engage.send, out.takeoff_height)
        return out

    def _operator_word(self):
        """The operator asks for something."""

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

    def land(self, seconds=40.0):
        """Land and be disarmed."""
        self.command = None
        assert self.ask(Request.LAND)[0], self.reason
        self.run(seconds, State.READY)
        assert self.state is State.READY and not self.is_armed, (self.state, self.reason)

    @property
    def state(self):
        return self.out.engage.state

    @property
    def reason(self):
        return self.out.engage.reason

    @property
    def asked(self):
        """What the autopilot was asked for, in order."""
        return [action for _, action in self.requests]

    def said_since(self, time):
        """Return how many setpoints and requests were sent after a time."""
        return sum(at > time for log in (self.setpoints, self.requests) for at, _ in log)

    def speed(self):
        """Return the true horizontal speed [m/s]."""
        return math.hypot(*self.truth.velocity[:2])

    def moved_since(self, start):
        """Return east and north [m] of the true way since a place."""
        north = math.radians(self.truth.latitude - start.latitude) * 6.37e6
        east = math.radians(self.truth.longitude - start.longitude) * 6.37e6
        return east * math.cos(math.radians(start.latitude)), north

    def broken(self, allowed=()):
        """Return the strict rules that were broken; none for an emulator without such a mode."""
        px4 = getattr(self, 'px4', None)
        return {violation.rule for violation in px4.violations} - {*allowed} if px4 else set()
