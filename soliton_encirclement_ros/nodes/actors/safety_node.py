"""The separation filter of a vehicle with a controller of its own: ``cmd_vel_raw`` to ``cmd_vel``.

Threading: one thread; the timer of the control period takes what has arrived, filters, publishes.

The last command that somebody wants counts until its timeout, and goes back into its frame.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

from geometry_msgs.msg import Twist, TwistStamped

from soliton_encirclement_ros.core.laws.filter_codes import NONE
from soliton_encirclement_ros.core.laws.telemetry import lawless_values
from soliton_encirclement_ros.core.parameters.renamed_parameters import renamed_parameters
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT_STATES, SAFETY, TARGET_STATE, uav
)
from soliton_encirclement_ros.members.guarded_vehicle import GuardedVehicle
from soliton_encirclement_ros.members.own_rows import STILL as NO_VELOCITY, MemberDecision
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.nodes.actors.agent_watch import (
    fence_values, outside_doubts, refuse_fence
)
from soliton_encirclement_ros.nodes.actors.identity_watch import Presence, crowd_conditions
from soliton_encirclement_ros.nodes.actors.other_vehicles import (
    FilterRates, OtherVehicles, filter_conditions, odometry_topics, telemetry_result
)
from soliton_encirclement_ros.nodes.actors.telemetry_output import TelemetryOutput
from soliton_encirclement_ros.nodes.node_parameters import (
    KINDS, SafetyNodeParameters, agent_number, safety_line
)
from velocity_mobility_ros.core.coordinate_frames import rotate_z
from velocity_mobility_ros.core.step_time import is_overdue, short_timeout, to_seconds
from velocity_mobility_ros.core.twist_smoothing import STILL
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector, zero_limits
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.graph_faults import several_publishers
from velocity_mobility_ros.ros_io.messages.vehicle_input import CommandInput, Refuse, refuse_loop
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, rename_given, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, CMD_VEL_RAW, MAP_FRAME, body_frame


class WantedCommand:
    """The commands of ``cmd_vel_raw``, one by one.

    Attributes:
        timeout: Time [s] after which a command no longer counts.
        timeouts: How often there was none after one.
        motion: The command that counts; zero if there is none.
        is_present: Whether one counts.
    """

    def __init__(
        self, node: PollingNode, settings: SafetyNodeParameters, is_stamped: bool, body: str
    ) -> None:
        """Subscribe, and begin without a command.

        Args:
            node: The node to subscribe with.
            settings: Timeout, and the frame of the commands.
            is_stamped: Whether they are TwistStamped; else Twist.
            body: Frame of the body.
        """
        self._in_body = settings.cmd_vel_frame != MAP_FRAME
        kind = TwistStamped if is_stamped else Twist
        self._commands = CommandInput(node, kind, body, self._in_body)
        self.timeout, self.timeouts = settings.cmd_vel_timeout, 0
        self.motion, self.is_present = STILL, False
        self._received_ns: int | None = None
        self._count = 0
        node.node_time.on_step(self._move)

    def update(self, now_ns: int, refuse: Refuse) -> None:
        """Read the commands until a time [ns], and drop a command that is too old.

        Simulated time that has gone back makes no command younger.
        """
        for motion in self._commands.take(now_ns, self.timeout, refuse):
            self.motion, self.is_present, self._received_ns = motion, True, now_ns
            self._count += 1
        if not self.is_present:
            return
        self._received_ns = min(self._received_ns, now_ns)
        if is_overdue(self._received_ns, now_ns, self.timeout):
            self.timeouts += 1
            self.forget()

    def _move(self, step_ns: int) -> None:
        """Keep the age of the last command after a step of the clock [ns]."""
        if self._received_ns is not None:
            self._received_ns += step_ns

    def forget(self) -> None:
        """Wait for the next command."""
        self.motion, self.is_present = STILL, False

    def in_map(self, yaw: float) -> Vector | None:
        """Return the commanded velocity [m/s, map] at a heading [rad], None without a command."""
        if not self.is_present:
            return None
        return self._turn_to_map(self.motion.velocity, yaw)

    def answer(self, velocity: Vector, yaw: float, yaw_rate: float, now_ns: int) -> bytes:
        """Return a velocity [m/s, map] as a command in the frame of the received commands.

        Args:
            velocity: The velocity.
            yaw: Heading of the vehicle [rad].
            yaw_rate: Yaw rate [rad/s].
            now_ns: The present [ns].
        """
        return self._commands.writer.write(self._turn_to_map(velocity, -yaw), yaw_rate, now_ns)

    def _turn_to_map(self, velocity: Vector, yaw: float) -> Vector:
        x, y, z = velocity
        return (*rotate_z(x, y, yaw), z) if self._in_body else velocity

    def take_count(self) -> int:
        """Return how many commands have come since the last call."""
        count, self._count = self._count, 0
        return count

    def age(self, now_ns: int) -> float:
        """Return how long ago [s] the last command came, infinite before the first."""
        if self._received_ns is None:
            return math.inf
        return to_seconds(now_ns - self._received_ns)

    def conditions(self, now_ns: int) -> list[Condition]:
        """Return the fault if there is no command at a time [ns]."""
        return [] if self.is_present else self._commands.missing(self.age(now_ns), self.timeout)


class SafetyNode(ActorNode):
    """The filter of one vehicle on its own timer."""

    without_odometry = 'command 0'
    after_stop = 'waits for the next command'

    def __init__(self, **options: object) -> None:
        """Declare parameters and begin.

        Raises:
            ParameterError: A parameter is refused or the vehicle has no number.
            StartupError: Input and output are one topic.
        """
        topics = (AGENT_STATES, TARGET_STATE, ADVERSARY_STATE)
        super().__init__(SAFETY, AGENT_STATES, topics, **options)
        self._limits = declare(self, CommandLimits)
        rename_given(self, renamed_parameters('safety'))
        self._safety = declare(self, SafetyParameters)
        settings = declare(self, SafetyNodeParameters)
        warn_of_idle(self, self._safety, settings)
        if self.member.lockstep:
            raise ParameterError(
                f'{self.get_fully_qualified_name()}: lockstep = true must be false: the commands '
                'of a controller come in real time, or with use_sim_time in the time of /clock'
            )
        refuse_loop(self)
        agent_id = agent_number(self, settings.agent_id)
        others = odometry_topics(self, self.fleet, settings.odometry_topics)
        self._yaw, self._yaw_rate, self._was_stopped = 0.0, 0.0, False
        self._vehicle = GuardedVehicle(
            agent_id, self.swarm, self._limits, self._safety,
            settings.publish_state, KINDS[settings.odometry_kind], settings.ring_member,
        )  # fmt: skip
        self._tally = FilterRates()
        self._telemetry = TelemetryOutput(self)
        states = self.fleet.full_name(AGENT_STATES)
        self._presence = Presence(self, agent_id, states, settings.publish_state)
        self.follow(self._limits, self._retune)
        self._name = uav(agent_id)
        self.follow(self._safety, self._retune, partial(refuse_fence, self, self._name))
        self.follow(settings, self._change)
        body = self.odometry.odom_child_frame or body_frame(self.get_namespace())
        self._wanted = WantedCommand(self, settings, self._is_stamped, body)
        self._change(settings)
        topic = self.resolve_topic_name(CMD_VEL_RAW)
        line = safety_line(agent_id, self._safety, settings, topic)
        self.start(self._vehicle, self._name, line)
        self._others = OtherVehicles(self, others, self.health, self.member.odom_timeout)
        self.look_at_doubts()

    @property
    def clock_error(self) -> float:
        """By how much the clocks of others may differ from its own [s]."""
        return self._safety.clock_error

    def diagnostic_values(self) -> dict[str, object]:
        """Add ages, rates, and what the filter did."""
        now_ns, last = self._input.now_ns(), self._input.measured
        age = math.inf if last is None else to_seconds(now_ns - last.stamp_ns)
        return {
            **super().diagnostic_values(),
            'command_age_s': f'{self._wanted.age(now_ns):.3f}',
            'command_timeouts': self._wanted.timeouts,
            'odom_age_s': f'{age:.3f}',
            **self._tally.take(self._wanted.take_count()),
            **fence_values(self._vehicle.rows, self.pose),
        }

    def conditions(self) -> list[Condition]:
        """Add missing commands, silent vehicles, and other sources of commands."""
        now_ns, vehicle = self._input.now_ns(), self._vehicle
        faults = [
            *super().conditions(),
            *([] if self._stop.reason else self._wanted.conditions(now_ns)),
            *self._others.conditions(now_ns, vehicle.timeout),
            *filter_conditions(vehicle, self.time(now_ns)),
            *crowd_conditions(vehicle.rows.is_full),
        ]
        if self.is_shedding:
            return faults
        return [
            *faults,
            *([] if self.member.medium else self._presence.conditions()),
            *several_publishers(self, CMD_VEL, Level.ERROR),
            *several_publishers(self, CMD_VEL_RAW, Level.WARN),
        ]

    def receive(self, now_ns: int, states: Sequence[State]) -> None:
        """Pass on received states; look for the own number among them."""
        self._presence.receive(states)
        super().receive(now_ns, states)

    def tick(self, now_ns: int, pose: Pose) -> Callable[[], None]:
        """Take the commands, filter the last one, publish."""
        measured = self._input.measured
        self._take(now_ns)
        self._yaw, self._yaw_rate = measured.yaw, self._wanted.motion.yaw_rate
        self._vehicle.wanted = self._wanted.in_map(self._yaw)
        return super().tick(now_ns, pose)

    def tick_without_pose(self, now_ns: int) -> None:
        """Command zero without odometry."""
        self._take(now_ns)
        self._stop.update()
        self._stand_still(now_ns)

    def after_tick(self, now_ns: int, pose: Pose, decision: MemberDecision) -> None:
        """Count what the filter did, and tell it unless an agent with this number is there."""
        self._presence.sent(decision.state)
        done = self._vehicle.done
        if self._vehicle.is_filtered and (self._wanted.is_present or done.reason != NONE):
            self._tally.add(done, self._others)
        if decision.state is not None and self._telemetry.is_due(now_ns):
            result = telemetry_result(self._vehicle.filtered, self._others)
            self._telemetry.publish(now_ns, lawless_values(pose, result))

    def _take(self, now_ns: int) -> None:
        """Take what has arrived until a time [ns]; commands from before a release do not count."""
        self._wanted.update(now_ns, self.health.refuse)
        if self._was_stopped or self._stop.reason:
            self._wanted.forget()
        self._was_stopped = bool(self._stop.reason)
        states = self._others.take(now_ns)
        self._vehicle.see(self.time(now_ns), states)

    def _hover(self) -> None:
        """Command zero by an operator's order; the release may come before the next tick."""
        self._was_stopped = True
        self._stand_still(self._input.now_ns())

    def _stand_still(self, now_ns: int) -> None:
        self._yaw_rate = 0.0
        self._vehicle.stand_still()
        self._command(NO_VELOCITY, now_ns)

    def _command(self, velocity: Vector, now_ns: int) -> None:
        """Publish a velocity [m/s, map] in the frame of the commands, with their yaw rate."""
        yaw_rate = 0.0 if self._stop.reason else self._yaw_rate
        self._publish_command(self._wanted.answer(velocity, self._yaw, yaw_rate, now_ns))

    def _retune(self, record: CommandLimits | SafetyParameters) -> None:
        """Use other limits or distances from the next tick on."""
        if isinstance(record, CommandLimits):
            self._limits = record
        else:
            self._safety = record
        self._vehicle.retune(self._limits, self._safety)

    def _change(self, settings: SafetyNodeParameters) -> None:
        self._settings, self._wanted.timeout = settings, settings.cmd_vel_timeout

    def doubts(self) -> list[str]:
        """Return what lets the vehicle not move, and that it is outside of its room."""
        period, effect = self.swarm.control_period, 'the vehicle stops between two commands'
        timeout = self._settings.cmd_vel_timeout
        short = short_timeout('cmd_vel_timeout', timeout, 'control_period', period, effect)
        is_filtered = self._vehicle.is_filtered
        outside = outside_doubts(self._safety, self._name, self.pose) if is_filtered else []
        return [*zero_limits(self._limits), *([short] if short else []), *outside]


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [SafetyNode()], args)
