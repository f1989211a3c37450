"""One agent of the swarm: receives neighbours and target, commands its vehicle."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from soliton_encirclement_ros.controllers import Setup
from soliton_encirclement_ros.core.errors import LawFaultError
from soliton_encirclement_ros.core.laws.law_fault import UNTIL_RECOVERED
from soliton_encirclement_ros.core.laws.telemetry import telemetry_values
from soliton_encirclement_ros.core.parameters.control_parameters import (
    CONTROLLER_NAMES, LAYER_NAMES
)
from soliton_encirclement_ros.core.parameters.renamed_parameters import renamed_parameters
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits, FailureParameters, MemberPath
)
from soliton_encirclement_ros.core.parameters.target_parameters import ESTIMATOR_NAMES
from soliton_encirclement_ros.core.run.swarm_health import INJECTING
from soliton_encirclement_ros.core.scenario.contradictions import (
    UNFILTERED, distance_warnings, ring_warnings, without_sections
)
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.scenario.random_streams import failure_stream
from soliton_encirclement_ros.core.schedules import check_schedule
from soliton_encirclement_ros.core.stability.law_stability import agent_warnings
from soliton_encirclement_ros.core.stability.propagation_stability import stability_warnings
from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import (
    ADVERSARY_STATE, AGENT, AGENT_STATES, LARGEST_ID, RECEIVED_STATES, TARGET_BEARING,
    TARGET_STATE, uav
)
from soliton_encirclement_ros.members.own_agent import Agent, make_agent
from soliton_encirclement_ros.members.own_rows import MemberDecision
from soliton_encirclement_ros.members.own_rules import plain_code
from soliton_encirclement_ros.nodes.actors.actor_input import LockstepInput, nothing
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode, path_flight
from soliton_encirclement_ros.nodes.actors.agent_group import AgentGroup
from soliton_encirclement_ros.nodes.actors.agent_watch import (
    LAW_FAILED, AgentWatch, TargetLoss, outside_doubts, refuse_fence
)
from soliton_encirclement_ros.nodes.actors.telemetry_output import TelemetryOutput
from soliton_encirclement_ros.nodes.bearing_messages import LockstepBearings, PolledBearings
from soliton_encirclement_ros.nodes.member_services import offer_failures
from soliton_encirclement_ros.nodes.node_parameters import agent_line, agent_number
from soliton_encirclement_ros.swarm.failures import injection_text
from velocity_mobility_ros.core.parameter_declaration import Parameters, parameter
from velocity_mobility_ros.core.velocity_model import zero_limits
from velocity_mobility_ros.ros_io.node_diagnostics import Condition, Level
from velocity_mobility_ros.ros_io.process.node_process import run_nodes
from velocity_mobility_ros.ros_io.ros_parameters import declare, given, rename_given, warn_of_idle


@dataclass(frozen=True)
class AgentNodeParameters(Parameters):
    """Identity of the agent."""

    agent_id: int = parameter(
        0, 'number k of uav_k; 0: from the namespace', minimum=0, maximum=LARGEST_ID
    )
    inject_failures: bool = parameter(
        False, 'simulations only: inject the failures of failure_*',
        runtime=True,
    )  # fmt: skip
    target_loss_stop: float = parameter(
        0.0, 'time without the target after which the agent stops itself, until it is released; '
        '0: never', unit='s', minimum=0.0, runtime=True,
    )  # fmt: skip


class AgentNode(ActorNode):
    """ROS node of an agent actor."""

    def __init__(self, group: AgentGroup | None = None, **options: object) -> None:
        """Declare parameters and begin.

        Args:
            group: Agents of its process that it ticks with in real time; None: it ticks alone.
            **options: Passed on to ``rclpy.node.Node``.

        Raises:
            ParameterError: A parameter is refused or the agent has no number.
        """
        super().__init__(AGENT, AGENT_STATES, (AGENT_STATES, TARGET_STATE), group, **options)
        controller = given(self, 'controller', CONTROLLER_NAMES[0])
        rename_given(self, renamed_parameters('control', controller))
        for section in ('safety', 'target_sensing'):
            rename_given(self, renamed_parameters(section))
        self._setup = Setup(
            declare(self, record_of('control', controller)),
            declare(
                self, record_of('propagation', given(self, 'propagation_method', LAYER_NAMES[0]))
            ),
            self.swarm,
            declare(self, CommandLimits),
        )
        failure = declare(self, FailureParameters)
        path, self._safety = declare(self, MemberPath), declare(self, SafetyParameters)
        if self._safety.separation_filter and self._safety.adversary_distance > 0.0:
            self.receive_also(ADVERSARY_STATE)
        estimator = given(self, 'estimator', ESTIMATOR_NAMES[0])
        target_sensing = declare(self, record_of('target_sensing', estimator))
        if not target_sensing.target_broadcasts:
            self.receive_not(TARGET_STATE)
        self._node = declare(self, AgentNodeParameters)
        warn_of_idle(self, failure, self._node, self._setup.propagation, target_sensing)
        agent_id = agent_number(self, self._node.agent_id)
        check_schedule(failure.failure_schedule)
        flight = path_flight(self, path, uav(agent_id), self._setup.limits)
        stream = failure_stream(self.member.seed, agent_id)
        find_code = plain_code if group is None else group.find_code
        agent = make_agent(
            agent_id, self._setup, failure, stream, flight, self._safety, target_sensing, find_code
        )
        self.failures, self._has_path = agent.failures, flight is not None
        self._injection = injection_text(failure, agent_id)
        self._inject(self._node.inject_failures, 0.0)
        self.follow(self._node, self._change)
        for section in ('control', 'propagation', 'limits'):
            self.follow(getattr(self._setup, section), partial(self._retune, section))
        self.follow(self._safety, self._keep_apart, partial(refuse_fence, self, uav(agent_id)))
        self._telemetry = TelemetryOutput(self, agent_id)
        self.watched.append(self._telemetry.publisher)
        offer_failures(self, '', self._fail, self._recover)
        self._gain_doubts = self._doubt_gains()
        self._watch = self._make_watch(agent)
        self._loss = TargetLoss(agent)
        self.start(agent, uav(agent_id), agent_line(agent_id, self._setup))
        self.look_at_doubts()
        if not (self._safety.separation_filter or self.member.lockstep):
            self.health.warn(UNFILTERED)
        self._bearings = self._make_bearings(agent)

    @property
    def clock_error(self) -> float:
        """By how much the clocks of others may differ from its own [s]."""
        return self._safety.clock_error

    def _make_bearings(self, agent: Agent) -> PolledBearings | LockstepBearings | None:
        """Subscribe to the camera, if the agent estimates the target."""
        if not agent.is_estimating:
            return None
        if isinstance(self._input, LockstepInput):
            bearings = LockstepBearings(self, self.health, self._input.try_tick)
            self._input.also_needs(bearings.has)
            return bearings
        return PolledBearings(self, self.health, self.swarm.target_state_timeout)

    def _make_watch(self, agent: Agent) -> AgentWatch:
        topics = (TARGET_STATE, AGENT_STATES)
        direct = not (self.member.lockstep or self.member.medium)
        target, own = map(self.fleet.full_name, topics)
        received = self.resolve_topic_name(RECEIVED_STATES)
        topic = target if direct else received
        if agent.is_estimating:
            topic = self.resolve_topic_name(TARGET_BEARING)
        return AgentWatch(self, agent, topic, own if direct else None)

    def diagnostic_values(self) -> dict[str, object]:
        """Add the failure state, the received neighbours, and the commanded speed."""
        return {
            **super().diagnostic_values(),
            **self._watch.diagnostic_values(self.time(self._input.now_ns())),
        }

    def conditions(self) -> list[Condition]:
        """Add faults of the agent, and whether failure injection is on."""
        faults = super().conditions()
        faults += self._watch.conditions(self.time(self._input.now_ns()))
        if self._is_injecting:
            faults.append(Condition(Level.WARN, INJECTING))
        return faults

    def doubts(self) -> list[str]:
        """Return warnings about gains, and about distances of the swarm that is heard."""
        texts = self._gain_doubts
        if not self.actor.is_filtered:
            return texts
        safety, swarm, name = self._safety, self.swarm, uav(self.actor.agent_id)
        return [
            *texts,
            *without_sections(distance_warnings(safety, swarm, self._heard.agents() + 1)),
            *outside_doubts(safety, name, self.pose),
        ]

    def restart(self) -> None:
        """Let law and estimator begin anew."""
        self.actor.restart()

    def answer_handshake(self) -> None:
        """Have the code of the tick ready before the first one."""
        self.actor.begin()
        super().answer_handshake()

    def receive(self, now_ns: int, states: Sequence[State]) -> None:
        """Pass on received states, and detect another sender with the agent's number."""
        self._watch.receive(states)
        super().receive(now_ns, states)

    def tick(self, now_ns: int, pose: Pose) -> Callable[[], None]:
        """Let the agent decide; a law that fails stops the vehicle until ``recover`` is called.

        An agent with whose number another one was there before commands and says nothing.
        """
        if self._watch.is_second(pose):
            return nothing
        if self._bearings is not None:
            self._bearings.show(self.actor, now_ns)
        try:
            return super().tick(now_ns, pose)
        except LawFaultError as fault:
            self.get_logger().error(f'{fault}; {UNTIL_RECOVERED}')
            self.failures.fail(reason=LAW_FAILED)
            return super().tick(now_ns, pose)

    @property
    def may_start_again(self) -> bool:
        """As of any member; an agent that is down would be up, and one begin its path anew."""
        return super().may_start_again and not self.failures.failed and not self._has_path

    def after_tick(self, now_ns: int, pose: Pose, decision: MemberDecision) -> None:
        """Publish the agent's pose and internal values, also while it is down."""
        self._watch.after_tick(self.time(now_ns), pose, decision)
        self._look_for_target(now_ns)
        if self._telemetry.is_due(now_ns):
            own = self.actor.filtered, self.actor.estimated
            values = telemetry_values(pose, self.failures.failed, self.actor, *own)
            self._telemetry.publish(now_ns, values)

    def tick_without_pose(self, now_ns: int) -> None:
        """Command zero while stopped; a target that is lost counts without odometry, too."""
        super().tick_without_pose(now_ns)
        self._look_for_target(now_ns)

    def _hover(self) -> None:
        """Command zero, whoever is near."""
        self.actor.stand_still()
        super()._hover()

    def _look_for_target(self, now_ns: int) -> None:
        """Stop from the next tick on if the target has been lost for too long."""
        longest, is_stopped = self._node.target_loss_stop, bool(self._stop.reason)
        reason = self._loss.reason_to_stop(self.time(now_ns), longest, is_stopped)
        if reason:
            self._stop.stop_itself(reason)

    @property
    def _is_injecting(self) -> bool:
        return self._node.inject_failures and bool(self._injection)

    def _change(self, node: AgentNodeParameters) -> None:
        """Apply a change of the parameters in flight."""
        self._node = node
        self._inject(node.inject_failures, self.time(self._input.now_ns()))

    def _retune(self, section: str, record: Parameters) -> None:
        """Use other gains or limits from the next tick on."""
        self._setup = self._setup._replace(**{section: record})
        self.actor.retune(self._setup, self._safety)
        self._gain_doubts = self._doubt_gains()

    def _keep_apart(self, safety: SafetyParameters) -> None:
        """Keep other distances from the next tick on."""
        self._safety = safety
        self.actor.retune(self._setup, safety)

    def _doubt_gains(self) -> list[str]:
        """Return warnings about gains and limits, which stay until these change."""
        setup, period = self._setup, self._setup.swarm.control_period
        return [
            *zero_limits(setup.limits),
            *without_sections(ring_warnings(setup.swarm, setup.control, setup.limits)),
            *agent_warnings(setup.control, setup.limits, period),
            *stability_warnings(setup.propagation, period),
        ]

    def _inject(self, on: bool, now: float) -> None:
        """Switch failure injection at a time [s], with a log warning while it is on."""
        self.failures.inject(on, now)
        if self._is_injecting:
            self.get_logger().warning(
                f'failure injection is ON: this agent fails {self._injection}; for simulations '
                f'only; to switch it off: swarm param set {self.get_fully_qualified_name()} '
                'inject_failures false'
            )
        elif on:
            self.get_logger().info(
                'inject_failures = true has no effect: random failures are off '
                '(failure_enable, failure_mean_failures_per_min) and no outage is scheduled'
            )

    def _fail(self) -> bool:
        """Let the agent go down until it recovers on request; return whether it was up."""
        was_up = not self.failures.failed
        self.failures.fail()
        return was_up

    def _recover(self) -> bool:
        """Let the agent come back; return whether it was down."""
        if not self.failures.failed:
            return False
        self.failures.recover(self.actor.now)
        return True


def main(args: list[str] | None = None) -> int:
    """Run the node."""
    return run_nodes(lambda: [AgentNode()], args)
