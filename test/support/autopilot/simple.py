"""An autopilot in a few lines, and a flight of the state machine with it: for tests of the rules.

It does what was measured on PX4 where that matters for the rules: a heartbeat that stops ends
offboard mode after 1 s, one that resumes brings it back, and disarming in the air is refused.
"""

import math

from velocity_mobility_ros.autopilot.autopilot_reports import (
    Battery, Flags, LandState, LocalPosition, Mode, VehicleOdometry, VehicleStatus
)
from velocity_mobility_ros.autopilot.autopilot_requests import (
    PX4, Action, Answer, Intent, MavResult
)
from velocity_mobility_ros.autopilot.engage.engage_records import EngageParameters, Inputs
from velocity_mobility_ros.autopilot.engage.state_machine import start, step

DT = 0.02
HEARTBEAT_TIMEOUT = 1.0
MODES = {Action.OFFBOARD: Mode.OFFBOARD, Action.HOLD: Mode.HOLD, Action.LAND: Mode.LAND,
         Action.RETURN: Mode.RETURN}  # fmt: skip
PARAMETERS = EngageParameters(px4_offboard_loss_action='hold', px4_rc_policy='no remote control')


class SimpleAutopilot:
    """State of the autopilot."""

    def __init__(self):
        self.is_armed = self.failsafe = self.took_over = False
        self.mode = self.intention = Mode.HOLD
        self.landed, self.landing_since = True, math.inf
        self.heard = -math.inf
        self.answers, self.asked = [], []
        self.replies = {}
        self.is_deaf = self.is_mute = False
        self.needs_heartbeat = True

    def fly(self, mode=Mode.HOLD):
        """Be in the air."""
        self.is_armed, self.landed, self.mode, self.intention = True, False, mode, mode

    def hear(self, now, heartbeat, send):
        """Take what the bridge sends."""
        if heartbeat is not None:
            self.heard = now
        if send is not None:
            self.asked.append((now, send))
            if not self.is_deaf:
                self._obey(now, send)
        self._watch(now)

    def _obey(self, now, action):
        result = self.replies.get(action, MavResult.ACCEPTED)
        if not self.is_mute:
            family = frozenset(MODES) if action in MODES else frozenset({action})
            self.answers.append(Answer(now, family, result))
        if result is not MavResult.ACCEPTED:
            return
        if action in MODES:
            self.mode = self.intention = MODES[action]
            self.failsafe = False
        elif action is Action.ARM:
            self.is_armed = True
        elif action is Action.TAKEOFF:
            self.landed = False
        elif action is Action.KILL or self.landed:
            self.is_armed = False

    def _watch(self, now):
        alive = now - self.heard < HEARTBEAT_TIMEOUT or not self.needs_heartbeat
        if self.is_armed and self.mode is Mode.OFFBOARD and not alive:
            self.mode, self.failsafe = Mode.RETURN, True
        elif self.failsafe and self.intention is Mode.OFFBOARD and alive:
            self.mode, self.failsafe = Mode.OFFBOARD, False
        if self.mode is not Mode.LAND:
            self.landing_since = math.inf
        elif self.is_armed:
            self.landing_since = min(self.landing_since, now)
            if now - self.landing_since > 3.0:
                self.landed, self.is_armed = True, False

    def status(self, now):
        """Return its report."""
        return VehicleStatus(
            now, self.is_armed, self.mode, self.intention, self.mode.value, self.failsafe,
            self.took_over, system_id=2,
        )  # fmt: skip


class Flight:
    """The machine, the autopilot, and what is known; attributes can be changed at any time."""

    def __init__(self, settings=PARAMETERS):
        self.settings, self.memory, self.autopilot = settings, start(), SimpleAutopilot()
        self.now, self.outputs, self.states = 100.0, None, []
        self.status = None
        self.position_lost = self.is_silent = False
        self.known = {
            'battery': Battery(0.0, True, 0.9), 'flags': Flags(0.0, {}), 'command_age': math.inf,
            'has_taken_off': False, 'has_stopped': True,
        }  # fmt: skip
        self.estimate = {}
        self.heartbeats = []

    def inputs(self, request=None):
        """Return what is known now."""
        pilot, now = self.autopilot, self.now
        if not self.is_silent:
            self.status = pilot.status(now)
            if not self.position_lost:
                self.estimated = now
        answers, pilot.answers = tuple(pilot.answers), []
        estimated = getattr(self, 'estimated', None)
        local = odometry = None
        if estimated is not None:
            local = LocalPosition(estimated, (0, 0, 2), (0, 0, 0), 0.0, **self.estimate)
            odometry = VehicleOdometry(estimated, 0, (0, 0, 2), (0, 0, 0, 1), (0, 0, 0), (0, 0, 0))
        land = LandState(now, pilot.landed)
        return Inputs(
            now, self.status, local, odometry, land, answers=answers, request=request,
            **self.known,
        )  # fmt: skip

    def tick(self, request=None):
        """Make one step."""
        self.now += DT
        self.memory, self.outputs = step(self.settings, self.memory, self.inputs(request))
        beat = self.outputs.heartbeat
        if self.known.get('traits', PX4).stream_is_heartbeat:
            beat = None if self.outputs.intent is Intent.SILENT else self.outputs.intent
        self.autopilot.hear(self.now, beat, self.outputs.send)
        self.states.append(self.outputs.state)
        self.heartbeats.append(self.outputs.heartbeat)
        return self.outputs

    def run(self, seconds, until=None):
        """Go on for some time, or until a state is reached."""
        for _ in range(round(seconds / DT)):
            if self.tick().state is until:
                break
        return self.outputs

    def ask(self, request):
        """Let the operator ask for something."""
        return self.tick(request)
