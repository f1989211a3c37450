"""From reports and commands to setpoints, heartbeats and requests; one step per control period."""

import math

from velocity_mobility_ros.autopilot.bridge.bridge_records import (
    ALONE,
    GOOD_LINK,
    BridgeOutputs,
    BridgeParameters,
    Known,
    LinkFacts,
    OperatorFacts,
    SwarmPose,
)
from velocity_mobility_ros.autopilot.engage import machine
from velocity_mobility_ros.autopilot.engage.prechecks import failing
from velocity_mobility_ros.autopilot.engage.records import (
    Inputs,
    Request,
)
from velocity_mobility_ros.autopilot.engage.states import State
from velocity_mobility_ros.autopilot.geodesy.ground_memory import (
    GroundMemory,
    Kept,
    memory_of,
    with_memory,
)
from velocity_mobility_ros.autopilot.geodesy.swarm_frame import (
    SwarmFrame,
    heading_in_swarm,
    position_in_swarm,
    turn_of,
    updated,
    velocity_in_local,
)
from velocity_mobility_ros.autopilot.guidance import guidance
from velocity_mobility_ros.autopilot.guidance.keep_in import kept_in
from velocity_mobility_ros.autopilot.outputs import Answer, Intent, Setpoint
from velocity_mobility_ros.autopilot.reports import LocalPosition, Reference
from velocity_mobility_ros.autopilot.traits import PX4, Traits
from velocity_mobility_ros.core.frames import (
    inverse,
    multiply,
    quaternion_from_yaw,
    rotate,
    rotate_z,
)
from velocity_mobility_ros.core.model import Vector
from velocity_mobility_ros.core.smoothing.motion_limit import Motion

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
        """Know nothing.

        Args:
            parameters: The numbers.
            traits: What is particular to the autopilot.
        """
        self.parameters, self.traits = parameters, traits
        self.known = Known()
        self.memory = machine.start()
        self.frame = SwarmFrame()
        self.kept: Kept = ''
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
            operator: What is known of him.
        """
        epoch = self.frame.epoch
        self._locate()
        moved = epoch > 0 and self.frame.epoch != epoch
        inputs = self._inputs(now, link, request, operator)._replace(
            frame_moved=moved, frame_trouble=self.frame.trouble, traits=self.traits
        )
        self._last_inputs = inputs
        self.memory, outputs = machine.step(self.parameters.engage, self.memory, inputs)
        self._answers.clear()
        self._stepped_at = now
        if moved:
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
        if local is None or self.frame.trouble:
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
    def strayed(self) -> float:
        """How far the vehicle is from the place that it is to keep [m]; 0: it keeps none."""
        local = self.known.local
        return 0.0 if local is None else guidance.strayed(self._guidance, local)

    @property
    def command_age(self) -> float:
        """Age of the last command at the last step [s]; infinite without one."""
        return self._stepped_at - self._commanded_at

    @property
    def faults(self) -> tuple[str, ...]:
        """The checks before a take-off that fail at present, in words."""
        if self._last_inputs is None:
            return ('nothing is known yet',)
        inputs = self._last_inputs
        if self.memory.state in GROUND:
            inputs = inputs._replace(outside=0.0)
        return failing(self.parameters.engage, inputs, Request.TAKE_OFF)

    def _locate(self) -> None:
        status, local, settings = self.known.status, self.known.local, self.parameters.frame
        if local is None:
            return
        stands = status is not None and not status.is_armed
        self.frame = updated(settings, self.frame, local, stands)
        if status is not None:
            self.frame = with_memory(settings, self.frame, local, status, self.kept)

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
            link.trouble or link.absent,
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
            self.parameters.guidance, self._guidance, intent, self._wanted(local), local, now,
            self.traits,
        )  # fmt: skip
        # A setpoint would end the take-off that the autopilot flies by itself.
        is_taken_off = self.traits.takes_off_itself and intent is Intent.TAKE_OFF
        return None if is_taken_off else setpoint

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
