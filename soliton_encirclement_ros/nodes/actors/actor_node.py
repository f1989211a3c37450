"""Common base of agent, target and adversary nodes: an actor that receives, decides and sends.

A member may have a path (``path_flight``).
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Protocol

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState

from soliton_encirclement_ros.core.member_paths import PathFlight, planned_path
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, MemberPath, SwarmParameters
)
from soliton_encirclement_ros.core.scenario.contradictions import (
    timeout_warnings, without_sections
)
from soliton_encirclement_ros.core.states.states import Pose, State, is_sound, validation_error
from soliton_encirclement_ros.core.states.swarm_topics import MEMBERS_HEARD, MISSED_TICKS
from soliton_encirclement_ros.members.own_rows import STILL, MemberDecision
from soliton_encirclement_ros.nodes.actors.actor_input import (
    HANDSHAKE_NS, LockstepInput, TimerInput, control_watch
)
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.member_services import MemberStop
from soliton_encirclement_ros.nodes.node_parameters import (
    ActorParameters, OdometryParameters, fleet_of_member, is_observed, member_line
)
from soliton_encirclement_ros.nodes.state_messages import MembersHeard, StateWriter
from velocity_mobility_ros.core.step_time import short_timeout, to_seconds
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.endpoints import (
    COMMAND, LOCKSTEP, STATE, make_publisher, raw_publishing
)
from velocity_mobility_ros.ros_io.graph_faults import several_publishers, takers_of_other_type
from velocity_mobility_ros.ros_io.messages.serialized_messages import CommandWriter
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level, NodeDiagnostics
from velocity_mobility_ros.ros_io.node_time import LoadWatch, TickStatistics
from velocity_mobility_ros.ros_io.polling import PollingNode
from velocity_mobility_ros.ros_io.process.node_names import warn_without_namespace
from velocity_mobility_ros.ros_io.ros_parameters import declare, refuse_unknown, warn_of_idle
from velocity_mobility_ros.ros_io.vehicle_topics import CMD_VEL, ODOM


class Actor(Protocol):
    """One of the three actors; its time [s] starts with the node, in lockstep with the run.

    Attributes:
        pose_age: Age [s] of the pose at the next tick.
    """

    pose_age: float

    def see_pose(self, pose: Pose) -> None:
        """Store the pose that the states received next are checked against."""

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states of others."""

    def decide(self, now: float, pose: Pose) -> MemberDecision:
        """Compute the output at a time [s] and a pose."""

    def hold(self, now: float, pose: Pose) -> MemberDecision:
        """Return the output of an actor that an operator has stopped: its state, zero velocity."""

    def stretch_timeouts(self, longest_period: float) -> None:
        """Extend the timeouts to suit the longest recent control period [s]."""


class ActorNode(PollingNode):
    """A node with an actor inside.

    Attributes:
        without_odometry: What it does while there is no odometry, in words.
        after_stop: What it does after a release from an emergency stop, in words.
        clock_error: By how much the clocks of those whom it avoids may differ from its own [s].
        pose: Its pose at the last tick, None before the first.
        is_only_one: Whether nobody else may publish on the topic of its state.
        watched: What it publishes beside its states for recorder and monitor.
    """

    without_odometry = 'no commands'
    after_stop = 'the law starts afresh'
    clock_error = math.inf
    is_only_one = False

    def __init__(
        self,
        name: str,
        state_topic: str,
        input_topics: tuple[str, ...],
        group: AgentGroup | None = None,
        **options: object,
    ) -> None:
        """Declare the common parameters; subclasses then call ``start``.

        Args:
            name: Node name.
            state_topic: Topic of the fleet for the member's own states.
            input_topics: Topics of the fleet to receive in real time without a simulated radio.
            group: Members of its process that send their states together, and in real time tick
                together; None: it is alone.
            **options: Passed on to ``rclpy.node.Node``.
        """
        super().__init__(name, **options)
        self.swarm = declare(self, SwarmParameters)
        self.member = declare(self, ActorParameters)
        self.odometry = declare(self, OdometryParameters)
        self.fleet = fleet_of_member(self)
        self._role = name
        self._state_topic = self.fleet.full_name(state_topic)
        self._input_topics = [self.fleet.full_name(name) for name in input_topics]
        self._group = None if self.member.lockstep else group
        self._answers = group.lockstep if self.member.lockstep and group is not None else None
        self._origin_ns = self._begin_ns()
        if not self.member.lockstep:
            self.node_time.on_step(self._on_step)
        self._ticks = TickStatistics()
        self._heard = MembersHeard(self._own_name)
        self._load: LoadWatch | None = None
        self.pose: Pose | None = None
        self.watched: list[Publisher] = []
        self._writer = StateWriter()
        self._is_stamped = self.member.enable_stamped_cmd_vel or self.member.lockstep
        self._commander = CommandWriter(self._is_stamped)

    def receive_also(self, topic: str) -> None:
        """Receive a further topic of the fleet; call it before ``start``."""
        self._input_topics.append(self.fleet.full_name(topic))

    def receive_not(self, topic: str) -> None:
        """Receive a topic of the fleet no more; call it before ``start``."""
        self._input_topics.remove(self.fleet.full_name(topic))

    def start(self, actor: Actor, member: str, who: str = '') -> None:
        """Connect the actor to the topics; call it once every parameter is declared.

        Args:
            actor: The actor.
            member: Which member it is, such as ``uav_1``; there is one node of a kind for it.
            who: Its description, for the line that the node logs at its start.

        Raises:
            StartupError: Another node of this kind on this computer is the same member.
        """
        refuse_unknown(self)
        self.claim_role(self._role, self.fleet.full_name(member))
        warn_of_idle(self, self.member, self.odometry)
        for line in self._short_timeouts():
            self.get_logger().warning(line)
        self.actor = actor
        self.health = NodeDiagnostics(
            self,
            'control',
            self.diagnostic_values,
            self.conditions,
            lambda: self._input.now_ns(),
            self.get_namespace(),
        )
        self._stop = MemberStop(
            self, self.fleet, self._own_name, self.health.refuse, self._hover, self.after_stop
        )
        topics = (self.resolve_topic_name(ODOM), self.resolve_topic_name(CMD_VEL))
        line = member_line(self.swarm, self.member, self.odometry, topics)
        self.get_logger().info(f'{who}; {line}' if who else line)
        warn_without_namespace(self, f'/{self.get_name()}', (ODOM, CMD_VEL))
        lockstep = self.member.lockstep
        state, command = (LOCKSTEP, LOCKSTEP) if lockstep else (STATE, COMMAND)
        if self._answers is not None:
            self._states = self._answers.join(self, self._own_name, self._state_topic)
        elif self._group is not None:
            self._states = self._group.publisher(self, self._state_topic)
        else:
            self._states = make_publisher(self, JointState, self._state_topic, state)
        kind = TwistStamped if self._is_stamped else Twist
        self._commands = make_publisher(self, kind, CMD_VEL, command)
        self._publish_command = raw_publishing(self._commands)
        if lockstep:
            self._input = LockstepInput(self, self)
            return
        period, group = self.swarm.control_period, self._group
        watch = control_watch if group is None else group.load
        self._load = watch(period, self.node_time)
        self._input = TimerInput(self, self, period, self._load)
        topics = [] if self.member.medium else self._input_topics
        if group is None:
            self._input.tick_alone(topics)
        else:
            group.join(self, self._input, topics)

    def _begin_ns(self) -> int:
        """Return when the member's time begins [ns]."""
        if self.member.lockstep:
            return 0
        now_ns = self.node_time.now_ns()
        return now_ns if self._group is None else self._group.origin_ns(now_ns)

    def _on_step(self, step_ns: int) -> None:
        """Let the member's time go on evenly after a step of the clock [ns]."""
        self._origin_ns += step_ns
        if self.node_time.is_simulated:
            self.restart()

    def restart(self) -> None:
        """Hook for what to forget when simulated time jumps: bodies may be elsewhere then."""

    def diagnostic_values(self) -> dict[str, object]:
        """Return key values for the diagnostics."""
        return {
            'ticks': self._ticks.ticks,
            'period_p99_ms': round(self._ticks.percentile(0.99) * 1e3),
            'period_max_ms': round(self._ticks.longest * 1e3, 1),
            **self._stop.values(),
            **self._input.diagnostic_values(),
            MISSED_TICKS: f'{0.0 if self._load is None else self._load.missed():.3f}',
            MEMBERS_HEARD: self._heard.text(),
        }

    def conditions(self) -> list[Condition]:
        """Return all present faults; subclasses add their own."""
        self._stop.look(self._ticks.ticks)
        faults = [*self._stop.conditions(), *self._input.conditions()]
        if self.is_shedding:
            return faults  # the rest asks the middleware, which takes time
        own = [ODOM, self._state_topic] if self.is_only_one else [ODOM]
        return [
            *faults,
            *(fault for topic in own for fault in several_publishers(self, topic, Level.ERROR)),
            *several_publishers(self, CMD_VEL, Level.WARN),
            *takers_of_other_type(self, self._commands),
        ]

    @property
    def may_start_again(self) -> bool:
        """Whether nothing that counts is lost if its process starts again, such as a stop."""
        return not (self.member.lockstep or self._stop.has_order)

    @property
    def is_shedding(self) -> bool:
        """Whether optional work is left out since the machine is too slow."""
        return self._load is not None and self._load.is_shedding

    def stretch_timeouts(self, longest_period: float) -> None:
        """Extend the timeouts to suit the longest recent control period [s]."""
        self.actor.stretch_timeouts(longest_period)

    def _short_timeouts(self) -> list[str]:
        """Return which timeouts run out between two ticks."""
        name, period = 'control_period', self.swarm.control_period
        effect = 'odometry that comes at every tick counts as lost in between'
        own = short_timeout('odom_timeout', self.member.odom_timeout, name, period, effect)
        return [*without_sections(timeout_warnings(self.swarm)), *([own] if own else [])]

    def time(self, now_ns: int) -> float:
        """Return the actor's time [s] at a time [ns]."""
        return to_seconds(now_ns - self._origin_ns)

    def see_pose(self, now_ns: int, pose: Pose) -> None:
        """Pass on the pose of a tick before its states."""
        self.actor.pose_age = self._input.pose_age(now_ns)
        self.actor.see_pose(pose)

    def receive(self, now_ns: int, states: Sequence[State]) -> None:
        """Pass on received states of others, and store their senders."""
        self._heard.receive(tuple(states))
        self.actor.receive(self.time(now_ns), states)

    def tick(self, now_ns: int, pose: Pose) -> Callable[[], None]:
        """Let the actor decide, and command its vehicle; return what publishes everything else.

        In real time the vehicles of a process get their commands before anything else is
        published. In lockstep a command comes last, since the world goes on once it has all.
        """
        self._ticks.tick(time.monotonic())
        self.pose = pose
        is_news = self._stop.take_news()  # of the tick before: commands come first
        decide = self.actor.hold if self._stop.update() else self.actor.decide
        decision = decide(self.time(now_ns), pose)
        if not self.member.lockstep:
            self._command(decision.command, now_ns)
        return partial(self._publish, now_ns, pose, decision, is_news)

    def _publish(self, now_ns: int, pose: Pose, decision: MemberDecision, is_news: bool) -> None:
        """Publish the own state, and the outputs of this kind of member."""
        is_sound = decision.state is not None and self._is_sound(decision.state)
        self._send(now_ns, decision.state if is_sound else None)
        self.after_tick(now_ns, pose, decision)
        if self.member.lockstep:
            self._command(decision.command, now_ns)
        if is_news:
            self.health.publish()

    def tick_without_pose(self, now_ns: int) -> None:
        """Command zero while stopped, also when the odometry is lost."""
        del now_ns
        if self._stop.update():
            self._hover()

    @property
    def is_waiting(self) -> bool:
        """Whether a stop from before the start may still be on its way."""
        return self._stop.is_waiting(self.member.lockstep)

    def _hover(self) -> None:
        self._command(STILL, self._input.now_ns())

    def _send(self, now_ns: int, state: State | None) -> None:
        """Publish the own state, or in lockstep a message without one."""
        if self._answers is not None:
            self._answers.answer(now_ns, self._own_name, state)
        elif state is None:
            if self.member.lockstep:
                self._states.publish(self._writer.silence(now_ns, self._own_name))
        elif self._group is not None:
            self._group.send(state)
        else:
            self._states.publish(self._writer.write(now_ns, [state]))

    def _is_sound(self, state: State) -> bool:
        """Return whether receivers accept the own state; a state they would refuse is not sent."""
        if is_sound(state):
            return True
        self.health.refuse(
            self._state_topic, f'own state is not published: {validation_error(state)}', 'own'
        )
        return False

    def after_tick(self, now_ns: int, pose: Pose, decision: MemberDecision) -> None:
        """Hook for further actions of a kind of member at every tick."""

    def answer_handshake(self) -> None:
        """Answer once the world, recorder and monitor are connected."""
        member, commands, states = self.member, self._commands, self._states
        watchers = member.recorders + member.monitors
        if (
            commands.get_subscription_count() < 1 + member.recorders
            or states.get_subscription_count() < 1 + watchers
            or not is_observed(self, self.fleet, commands, member.recorders)
            or not all(
                is_observed(self, self.fleet, publisher, member.recorders, member.monitors)
                for publisher in (states, *self.watched)
            )
            or self._stop.is_order_on_its_way
        ):
            return
        self._states.publish(self._writer.silence(HANDSHAKE_NS, self._own_name))
        self._command(STILL, HANDSHAKE_NS)

    @cached_property
    def _own_name(self) -> str:
        return self.get_namespace().rpartition('/')[2]

    def _command(self, velocity: Vector, now_ns: int) -> None:
        self._publish_command(self._commander.write(velocity, 0.0, now_ns))


def path_flight(
    node: ActorNode, path: MemberPath, member: str, limits: CommandLimits
) -> PathFlight | None:
    """Return the path that a node flies, None without one; machine code is loaded for one only.

    Args:
        node: The node, named in errors; it says in one line what it is going to fly.
        path: Its parameters.
        member: Name of the member.
        limits: Limits of its vehicle.

    Raises:
        ScenarioError: The path cannot be read or flown.
    """
    if not path.path:
        return None
    from soliton_encirclement_ros.sim.compilation.compiled_motion import fly_compiled

    where = f'{node.get_fully_qualified_name()}: path'
    plan = planned_path(path, member, limits, node.swarm.control_period, where)
    x, y, z = plan.start
    node.get_logger().info(
        f'flies the path {path.path}: {len(plan.way.vertices)} points from {x:g}, {y:g}, {z:g} m, '
        f'at most {plan.settings.limits.max_speed:.3g} m/s'
    )
    return PathFlight(plan, fly_compiled)
