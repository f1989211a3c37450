"""The bridge of one vehicle without ROS: state machine, guidance and frames put together.

From reports and commands come setpoints, heartbeats and requests, in one step per control period.
"""

import math
from typing import NamedTuple

from velocity_mobility_ros.autopilot import guidance
from velocity_mobility_ros.autopilot.autopilot_reports import (
    Battery, Flags, LandState, LocalPosition, Reference, VehicleOdometry, VehicleStatus
)
from velocity_mobility_ros.autopilot.autopilot_requests import (
    PX4, Answer, Intent, Setpoint, SetpointKind, Traits
)
from velocity_mobility_ros.autopilot.engage import state_machine
from velocity_mobility_ros.autopilot.engage.engage_records import (
    EngageParameters, Inputs, Outputs, Request, State
)
from velocity_mobility_ros.autopilot.engage.prechecks import failing_checks
from velocity_mobility_ros.autopilot.ground_memory import (
    GroundMemory, StoredGround, memory_of, restore_ground
)
from velocity_mobility_ros.autopilot.setpoint_limits import GuidanceParameters, keep_in_room
from velocity_mobility_ros.autopilot.swarm_frame import (
    FrameParameters, SwarmFrame, heading_in_swarm, position_in_swarm, turn_of, updated,
    velocity_in_local
)
from velocity_mobility_ros.core.coordinate_frames import (
    Quaternion, inverse, multiply, quaternion_from_yaw, rotate, rotate_z
)
from velocity_mobility_ros.core.twist_smoothing import Motion
from velocity_mobility_ros.core.velocity_model import Vector


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
        fault: What is wrong with message definitions or endpoints; empty: nothing.
        absent: Why the vehicle has to be waited for: there is none, or it is being asked for
            something; empty: it has not.
    """

    is_matched: bool = True
    commanders: int = 1
    fault: str = ''
    absent: str = ''


GOOD_LINK = LinkFacts()


class OperatorFacts(NamedTuple):
    """State of the operator of a take-off.

    Attributes:
        together: Whether what he asks for now waits for his release.
        age: Time since his last word [s].
    """

    together: bool = False
    age: float = 0.0


ALONE = OperatorFacts()


class SwarmPose(NamedTuple):
    """Pose and twist of the vehicle as its odometry in the swarm's frame reports them.

    Attributes:
        position: In the swarm's frame [m].
        attitude: Of the FLU body in that frame, a unit quaternion (x, y, z, w).
        linear: Velocity, forward, left and up in the body [m/s].
        angular: Angular velocity about these [rad/s].
        position_variance: East, north, up [m^2]; NaN: not known.
        attitude_variance: Roll, pitch, yaw [rad^2]; NaN: not known.
        velocity_variance: East, north, up [m^2/s^2]; NaN: not known.
    """

    position: Vector
    attitude: Quaternion
    linear: Vector
    angular: Vector
    position_variance: Vector
    attitude_variance: Vector
    velocity_variance: Vector


class BridgeOutputs(NamedTuple):
    """What is to be sent now.

    Attributes:
        engage: The state, the reason, and a request to the autopilot.
        heartbeat: What the heartbeat announces; None: there is none.
        setpoint: The setpoint; None: there is none.
        takeoff_height: Above the ground, where the autopilot takes off by itself [m].
    """

    engage: Outputs
    heartbeat: SetpointKind | None
    setpoint: Setpoint | None
    takeoff_height: float = math.nan


FIRST_TICK = 0.02
"""Stands for the time since the step before the first one [s]."""


class Bridge:
    """One vehicle.

    Attributes:
        parameters: Its numbers; replaceable.
        traits: What is particular to its autopilot.
        known: What the autopilot reported last; replaceable.
        memory: Memory of the state machine.
        frame: Where the local frame lies.
        kept: What was kept of the ground before the start; replaceable.
        outside: How far outside of its room the vehicle is [m].
    """

    def __init__(self, parameters: BridgeParameters, traits: Traits = PX4) -> None:
        """Start without reports.

        Args:
            parameters: The numbers.
            traits: What is particular to the autopilot.
        """
        self.parameters, self.traits = parameters, traits
        self.known = Known()
        self.memory = state_machine.start()
        self.frame = SwarmFrame()
        self.stored_ground: StoredGround = ''
        self.outside = 0.0
        self._guidance = guidance.START
        self._answers: list[Answer] = []
        self._command: Motion | None = None
        self._in_body, self._commanded_at = False, -math.inf
        self._stepped_at = math.nan
        self._last_inputs: Inputs | None = None
        self._place: tuple[Vector, Reference | None, float] | None = None
        self._position: Vector | None = None

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
        self,
        now: float,
        link: LinkFacts = GOOD_LINK,
        request: Request | None = None,
        operator: OperatorFacts = ALONE,
    ) -> BridgeOutputs:
        """Make one step.

        Args:
            now: Monotonic time [s].
            link: What the transport knows.
            request: What the operator asks for.
            operator: State of the operator.
        """
        epoch = self.frame.epoch
        self._locate()
        has_moved = epoch > 0 and self.frame.epoch != epoch
        inputs = self._inputs(now, link, request, operator)._replace(
            frame_moved=has_moved, frame_fault=self.frame.fault, traits=self.traits
        )
        self._last_inputs = inputs
        self.memory, outputs = state_machine.step(self.parameters.engage, self.memory, inputs)
        self._answers.clear()
        self._stepped_at = now
        if has_moved:
            self._guidance = self._guidance._replace(intent=Intent.SILENT)  # latches anew
        setpoint = self._setpoint(outputs.intent, now)
        # A heartbeat without setpoints would let PX4 fly the last velocity on.
        is_blind = outputs.intent is not Intent.SILENT and setpoint is None
        heartbeat, height = outputs.heartbeat, self.parameters.guidance.takeoff_height
        return BridgeOutputs(outputs, None if is_blind else heartbeat, setpoint, height)

    @property
    def position(self) -> Vector | None:
        """The position in the swarm's frame [m]; None if it is not known."""
        local = self.known.odometry or self.known.local
        if local is None or self.frame.fault:
            return None
        place = local.position, self.frame.reference, self.frame.ground
        if place != self._place:  # once for each report: it takes 0.1 ms
            self._place = place
            self._position = position_in_swarm(self.parameters.frame, self.frame, local.position)
        return self._position

    @property
    def pose(self) -> SwarmPose | None:
        """The last odometry in the swarm's frame; None without one, or if the frame is unknown."""
        odometry, position = self.known.odometry, self.position
        if odometry is None or position is None:
            return None
        turn = quaternion_from_yaw(turn_of(self.parameters.frame))
        return SwarmPose(
            position,
            multiply(turn, odometry.attitude),
            rotate(inverse(odometry.attitude), odometry.velocity),
            odometry.angular_velocity,
            odometry.position_variance,
            odometry.attitude_variance,
            odometry.velocity_variance,
        )

    @property
    def ground_memory(self) -> GroundMemory | None:
        """What to keep for a bridge that is started in this flight; None: nothing at present."""
        status = self.known.status
        return None if status is None else memory_of(self.parameters.frame, self.frame, status)

    @property
    def hold_deviation(self) -> float:
        """How far the vehicle is from the place that it is to keep [m]; 0: it keeps none."""
        local = self.known.local
        return 0.0 if local is None else guidance.hold_deviation(self._guidance, local)

    @property
    def command_age(self) -> float:
        """Age of the last command at the last step [s]; infinite without one."""
        return self._stepped_at - self._commanded_at

    @property
    def faults(self) -> tuple[str, ...]:
        """The checks before a take-off that fail at present, as texts."""
        if self._last_inputs is None:
            return ('nothing is known yet',)
        inputs = self._last_inputs
        if self.memory.state in GROUND:
            inputs = inputs._replace(outside=0.0)
        return failing_checks(self.parameters.engage, inputs, Request.TAKE_OFF)

    def _locate(self) -> None:
        status, local, settings = self.known.status, self.known.local, self.parameters.frame
        if local is None:
            return
        stands = status is not None and not status.is_armed
        self.frame = updated(settings, self.frame, local, stands)
        if status is not None:
            self.frame = restore_ground(settings, self.frame, local, status, self.stored_ground)

    def _inputs(
        self, now: float, link: LinkFacts, request: Request | None, operator: OperatorFacts
    ) -> Inputs:
        known, stepped = self.known, self._stepped_at
        speed = 0.0 if self._command is None else math.hypot(*self._command.velocity)
        return Inputs(
            now,
            *known,
            tuple(self._answers),
            now - self._commanded_at,
            speed,
            request,
            *operator,
            link.is_matched,
            link.commanders,
            link.fault or link.absent,
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
            self.parameters.guidance, self._guidance, intent, self._to_local(local), local, now,
            self.traits,
        )  # fmt: skip
        # A setpoint would end the take-off that the autopilot flies by itself.
        is_taken_off = self.traits.takes_off_itself and intent is Intent.TAKE_OFF
        return None if is_taken_off else setpoint

    def _to_local(self, local: LocalPosition) -> Motion | None:
        """Return the command along the axes of the local frame, kept in the vehicle's room."""
        position, motion, parameters = self.position, self._command, self.parameters
        if position is None or motion is None:
            return motion
        velocity = motion.velocity
        if self._in_body:
            turn = heading_in_swarm(parameters.frame, local.heading)
            velocity = *rotate_z(velocity[0], velocity[1], turn), velocity[2]
        limited = keep_in_room(parameters.guidance, position, velocity)
        self.outside = limited.outside
        return Motion(velocity_in_local(parameters.frame, limited.velocity), motion.yaw_rate)


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
