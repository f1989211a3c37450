"""From reports and commands to setpoints, heartbeats and requests; one step per control period."""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot.engage import machine
from velocity_mobility_ros.autopilot.engage.engage_parameters import EngageParameters
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Outputs,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.geodesy.frame_parameters import FrameParameters
from velocity_mobility_ros.autopilot.geodesy.swarm_frame import (
    SwarmFrame,
    heading_in_swarm,
    position_in_swarm,
    updated,
    velocity_in_local,
)
from velocity_mobility_ros.autopilot.guidance import guidance
from velocity_mobility_ros.autopilot.guidance.guidance_parameters import GuidanceParameters
from velocity_mobility_ros.autopilot.guidance.keep_in import kept_in
from velocity_mobility_ros.autopilot.outputs import Answer, Intent, Setpoint, SetpointKind
from velocity_mobility_ros.autopilot.reports import (
    Battery,
    Flags,
    LandState,
    LocalPosition,
    VehicleOdometry,
    VehicleStatus,
)
from velocity_mobility_ros.core.frames import rotate_z
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

FIRST_TICK = 0.02
"""Stands for the time since the step before the first one [s]."""


class BridgeParameters(NamedTuple):
    """All numbers of a bridge."""

    engage: EngageParameters
    guidance: GuidanceParameters
    frame: FrameParameters


class Known(NamedTuple):
    """The last report of each kind; None: none yet."""

    status: VehicleStatus | None = None
    local: LocalPosition | None = None
    odometry: VehicleOdometry | None = None
    land: LandState | None = None
    battery: Battery | None = None
    flags: Flags | None = None


class LinkFacts(NamedTuple):
    """What the transport knows.

    Attributes:
        is_matched: Whether the autopilot listens to all that is sent.
        commanders: How many bridges send to it.
        trouble: What is wrong with message definitions or endpoints; empty: nothing.
    """

    is_matched: bool = True
    commanders: int = 1
    trouble: str = ''


GOOD_LINK = LinkFacts()


class BridgeOutputs(NamedTuple):
    """What is to be sent now.

    Attributes:
        engage: The state, the reason, and a request to the autopilot.
        heartbeat: What the heartbeat announces; None: there is none.
        setpoint: The setpoint; None: there is none.
    """

    engage: Outputs
    heartbeat: SetpointKind | None
    setpoint: Setpoint | None


class Bridge:
    """One vehicle.

    Attributes:
        parameters: Its numbers; replaceable.
        known: What the autopilot reported last; replaceable.
        memory: Memory of the state machine.
        frame: Where the local frame lies.
        outside: How far outside of its room the vehicle is [m].
    """

    def __init__(self, parameters: BridgeParameters) -> None:
        """Know nothing.

        Args:
            parameters: The numbers.
        """
        self.parameters = parameters
        self.known = Known()
        self.memory = machine.start()
        self.frame = SwarmFrame()
        self.outside = 0.0
        self._guidance = guidance.START
        self._answers: list[Answer] = []
        self._command: Motion | None = None
        self._in_body, self._commanded_at = False, -math.inf
        self._stepped_at = math.nan

    def command(self, motion: Motion, in_body: bool, now: float) -> None:
        """Take a velocity command; one that is not finite is none.

        Args:
            motion: Velocity [m/s] and yaw rate [rad/s].
            in_body: Whether it is along the axes of the levelled body; else of the swarm's frame.
            now: Monotonic time [s].
        """
        if all(map(math.isfinite, (*motion.velocity, motion.yaw_rate))):
            self._command, self._in_body, self._commanded_at = motion, in_body, now

    def answer(self, answer: Answer) -> None:
        """Take an answer to a request."""
        self._answers.append(answer)

    def step(
        self, now: float, link: LinkFacts = GOOD_LINK, request: Request | None = None
    ) -> BridgeOutputs:
        """Make one step.

        Args:
            now: Monotonic time [s].
            link: What the transport knows.
            request: What the operator asks for.
        """
        epoch = self.frame.epoch
        self._locate()
        moved = epoch > 0 and self.frame.epoch != epoch
        inputs = self._inputs(now, link, request)._replace(
            frame_moved=moved, frame_trouble=self.frame.trouble
        )
        self.memory, outputs = machine.step(self.parameters.engage, self.memory, inputs)
        self._answers.clear()
        self._stepped_at = now
        if moved:
            self._guidance = self._guidance._replace(intent=Intent.SILENT)  # latches anew
        setpoint = self._setpoint(outputs.intent, now)
        # A heartbeat without setpoints would let PX4 fly the last velocity on.
        is_blind = outputs.intent is not Intent.SILENT and setpoint is None
        return BridgeOutputs(outputs, None if is_blind else outputs.heartbeat, setpoint)

    @property
    def position(self) -> Vector | None:
        """The position in the swarm's frame [m]; None if it is not known."""
        local = self.known.odometry or self.known.local
        if local is None or self.frame.trouble:
            return None
        return position_in_swarm(self.parameters.frame, self.frame, local.position)

    def _locate(self) -> None:
        known = self.known
        if known.local is None:
            return
        stands = known.status is not None and not known.status.is_armed
        self.frame = updated(self.parameters.frame, self.frame, known.local, stands)

    def _inputs(self, now: float, link: LinkFacts, request: Request | None) -> Inputs:
        known, stepped = self.known, self._stepped_at
        speed = 0.0 if self._command is None else math.hypot(*self._command.velocity)
        return Inputs(
            now,
            *known,
            tuple(self._answers),
            now - self._commanded_at,
            speed,
            request,
            link.is_matched,
            link.commanders,
            link.trouble,
            FIRST_TICK if math.isnan(stepped) else now - stepped,
            guidance.has_taken_off(self._guidance),
            known.local is not None and guidance.has_stopped(known.local),
            self.outside if self.memory.state not in GROUND else 0.0,
        )

    def _setpoint(self, intent: Intent, now: float) -> Setpoint | None:
        local = self.known.local
        if local is None:
            return None
        self._guidance, setpoint = guidance.step(
            self.parameters.guidance, self._guidance, intent, self._wanted(local), local, now
        )
        return setpoint

    def _wanted(self, local: LocalPosition) -> Motion | None:
        """Return the command along the axes of the local frame, kept in the vehicle's room."""
        position, motion, how = self.position, self._command, self.parameters
        if position is None or motion is None:
            return motion
        velocity = motion.velocity
        if self._in_body:
            turn = heading_in_swarm(how.frame, local.heading)
            velocity = *rotate_z(velocity[0], velocity[1], turn), velocity[2]
        kept = kept_in(how.guidance, position, velocity)
        self.outside = kept.outside
        return Motion(velocity_in_local(how.frame, kept.velocity), motion.yaw_rate)


GROUND = frozenset(
    {
        State.WAIT_LINK,
        State.READY,
        State.PRECHECK,
        State.SET_OFFBOARD,
        State.ARMING,
        State.TAKE_OFF,
    }
)
"""States in which a vehicle may be below its least height."""
