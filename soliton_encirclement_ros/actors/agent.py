"""One agent: receives states, computes its command, publishes its state; fails and returns."""

from collections.abc import Iterable
from typing import NamedTuple

from velocity_mobility_ros.core.limits import command_velocity
from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.path_flight import PathFlight
from soliton_encirclement_ros.actors.separation_guard import SeparationGuard
from soliton_encirclement_ros.actors.target_estimator import TargetEstimator
from soliton_encirclement_ros.controllers.controller import Controller, Knowledge
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.run.stages import Stages, run_through
from soliton_encirclement_ros.core.states.agent_cache import AgentCache, own_excepted
from soliton_encirclement_ros.core.states.message_acceptance import NEVER, stretched
from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import AgentState, Pose, State, TargetState
from soliton_encirclement_ros.core.states.target_cache import TargetCache
from soliton_encirclement_ros.core.states.target_relay import (
    SILENT,
    Fields,
    is_told,
    told_fields,
    youngest_told,
)
from soliton_encirclement_ros.safety.settings import fence_of, filter_settings
from soliton_encirclement_ros.swarm.failures import Failures

STILL: Vector = (0.0, 0.0, 0.0)


class AgentDecision(NamedTuple):
    """Output of one tick; ``state`` is None while the agent is down."""

    command: Vector
    state: AgentState | None


@shared_step
def _of_target(states: tuple[State, ...]) -> list[TargetState]:
    return [state for state in states if isinstance(state, TargetState)]


class Agent:
    """One agent with its controller, the states of the others and its own health.

    Attributes:
        pose_age: Age [s] of the pose at the next tick.
    """

    def __init__(
        self,
        agent_id: int,
        controller: Controller,
        swarm: SwarmParameters,
        limits: CommandLimits,
        failures: Failures,
        path: PathFlight | None = None,
        guard: SeparationGuard | None = None,
        estimator: TargetEstimator | None = None,
    ) -> None:
        """Start without known agents.

        Args:
            agent_id: Number k of ``uav_k``.
            controller: The law, fresh.
            swarm: Parameters that all members share.
            limits: Command limits of the vehicle.
            failures: The agent's state of health.
            path: The path that it flies before the law commands it; None: none.
            guard: Its separation filter; None: commands are not filtered.
            estimator: Its estimator of a target that broadcasts nothing; None: the target
                broadcasts its state.
        """
        self.agent_id = agent_id
        self.controller = controller
        self.failures = failures
        self._path = path
        self.guard = guard
        self.estimator = estimator
        self._swarm = swarm
        self._limits = limits
        self._agents = AgentCache(swarm.agent_state_timeout, is_ordered=False)
        self._target = TargetCache(swarm.target_state_timeout)
        self._relayed_until = NEVER
        self.timeouts = 0
        self.now = 0.0
        self.pose_age = 0.0
        self._seq = 1
        self._desired = STILL
        self._was_down = False
        self._is_held = False

    def retune(self, setup: Setup, safety: SafetyParameters) -> None:
        """Continue with other gains, limits and distances; the memory stays."""
        self._limits = setup.limits
        self.controller.retune(setup)
        if self.guard is not None:
            self.guard.retune(filter_settings(safety, setup.limits, setup.swarm), fence_of(safety))

    def keep_up_with(self, longest_period: float) -> None:
        """Let the timeouts suit the longest of the last control periods [s]."""
        swarm = self._swarm
        self._agents.timeout = stretched(swarm.agent_state_timeout, longest_period)
        self._target.timeout = stretched(swarm.target_state_timeout, longest_period)
        self.controller.keep_up_with(self._agents.timeout if longest_period > 0.0 else 0.0)
        if self.guard is not None:
            self.guard.keep_up_with(self._target.timeout)

    @property
    def filtered(self) -> tuple[float, ...]:
        """The values of ``telemetry.FILTER_NAMES``; none without a filter."""
        return () if self.guard is None else self.guard.telemetry

    @property
    def estimated(self) -> tuple[float, ...]:
        """The values of ``telemetry.ESTIMATE_NAMES``; none without an estimator."""
        return () if self.estimator is None else self.estimator.telemetry

    @property
    def max_speed(self) -> float:
        """Largest horizontal speed [m/s] that it commands."""
        return self._limits.max_speed_xy

    def hears_target(self, now: float) -> bool:
        """Return whether a state of the target came within its timeout before a time [s]."""
        return self._target.is_alive(now)

    def target_age(self, now: float) -> float:
        """Return the age [s] of the target's last state at a time [s], infinite without one."""
        return self._target.age(now)

    def neighbours(self, now: float) -> list[int]:
        """Return the numbers of the agents received within their timeout."""
        return own_excepted(self._agents.alive(now), self.agent_id)

    def receive(self, now: float, states: Iterable[State]) -> None:
        """Store received states, at time ``now`` [s]; a failed agent receives nothing."""
        if self.failures.is_down(now):
            return
        received = tuple(states)
        self._agents.accept_all(received, now)
        if self.guard is not None:
            self.guard.receive(received, now, self._agents.timeout)
        if self.estimator is None:
            for state in _of_target(received):
                self._target.accept(state, now)

    def decide(self, now: float, pose: Pose) -> AgentDecision:
        """Compute the command at time ``now`` [s] from a measured pose.

        The command is finite and within the limits whatever was received.
        """
        return run_through(self.decide_in_stages(now, pose))

    def decide_in_stages(self, now: float, pose: Pose) -> Stages[AgentDecision]:
        """Do as ``decide``."""
        self.now = now
        if self.failures.update(now):
            self._was_down = True
            if self.guard is not None:
                self.guard.stop()
            if self.estimator is not None:
                self.estimator.reset()
            return AgentDecision(STILL, None)
        self._return_if_back()
        self._prune(now)
        self._estimate(now, pose)
        yield
        self._take_relayed(now)
        yield
        wanted = yield from self.controller.step_in_stages(self._view(now, pose))
        yield
        self._desired = self._kept_apart(self._commanded(wanted, pose), now, pose)
        yield
        return AgentDecision(self._desired, self._speak(now, pose))

    def hold(self, now: float, pose: Pose) -> AgentDecision:
        """Stand still at time ``now`` [s] by an operator's order, and say where.

        Who comes too near is evaded, slowly. The law is not asked. It is reset at once, so that
        nobody acts on its last message, and again when it returns, as after a failure.
        """
        self.now = now
        if not self._is_held:
            self._is_held = True
            self.restart()
        self._was_down = True
        if self.failures.update(now):
            self.stand_still()
            return AgentDecision(STILL, None)
        self._prune(now)
        self._take_relayed(now)
        self._desired = self._kept_standing(now, pose)
        return AgentDecision(self._desired, self._speak(now, pose))

    def stand_still(self) -> None:
        """Note that the vehicle gets command 0, whoever is near."""
        self._desired = STILL
        if self.guard is not None:
            self.guard.stop()

    def _prune(self, now: float) -> None:
        if self._swarm.prune_expired_states:
            self.timeouts += len(own_excepted(self._agents.prune(now), self.agent_id))

    def _commanded(self, wanted: Vector, pose: Pose) -> Vector:
        """Return the command [m/s]: on a path that of the path, else what the law wants."""
        if self._path is not None and not self._path.is_over:
            return self._path.command(pose.position)
        return command_velocity(*wanted, self._limits.max_speed_xy, self._limits.max_speed_z)

    def _kept_apart(self, wanted: Vector, now: float, pose: Pose) -> Vector:
        """Return the command [m/s] after the separation filter."""
        if self.guard is None:
            return wanted
        timeout = self._agents.timeout
        return self.guard.command(wanted, now, pose, timeout, self._target, self.pose_age)

    def _kept_standing(self, now: float, pose: Pose) -> Vector:
        """Return the command [m/s] of an agent that is to stand still."""
        if self.guard is None:
            return STILL
        return self.guard.stand(now, pose, self._agents.timeout, self._target, self.pose_age)

    def _return_if_back(self) -> None:
        if self._was_down:
            self._was_down = self._is_held = False
            self.restart()

    def restart(self) -> None:
        """Reset the memories of law and estimator."""
        self.controller.reset()
        if self.estimator is not None:
            self.estimator.reset()

    def _estimate(self, now: float, pose: Pose) -> None:
        """Put the estimate in the place of a received state of the target, if it has news."""
        if self.estimator is None:
            return
        self.estimator.step(now, pose, self.pose_age, self._agents)
        news = self.estimator.news(now, self._target.timeout)
        if news is not None:
            self._target.accept(news, now)

    @property
    def _relays(self) -> bool:
        """Whether it passes on reports of the target: one that is estimated broadcasts none."""
        return self.estimator is None and self.controller.relays_target

    def _take_relayed(self, now: float) -> None:
        """Take the youngest report of the target that others tell, if it has none as young."""
        if not self._relays:
            return
        known, since = self._agents.receptions, self._relayed_until
        told = youngest_told(known, since, now, self._agents.timeout)
        self._relayed_until = now
        self._target.take(told, now, self.controller.target_hold, self._swarm.control_period)

    def _relay(self, now: float) -> Fields:
        """Return what it tells of the target, in a state whose pose is ``pose_age`` [s] old."""
        if not self._relays:
            return ()
        age = self._target.age(now)
        if self._target.state is None or not is_told(age, self.controller.target_hold):
            return SILENT
        return told_fields(self._target.state, age, self.pose_age)

    def _view(self, now: float, pose: Pose) -> Knowledge:
        return Knowledge(
            now,
            self.agent_id,
            pose,
            self._agents,
            self._target.state,
            self._target.is_alive(now),
            self._target.age(now),
            self._desired,
            self.pose_age,
        )

    def _speak(self, now: float, pose: Pose) -> AgentState:
        message = self.controller.broadcast()
        own = () if self.estimator is None else self.estimator.broadcast(self.pose_age)
        state = AgentState(
            self.agent_id,
            self._seq,
            pose.position,
            pose.velocity,
            message.u,
            message.u_ss,
            message.prop + own + self._relay(now),
            self.pose_age,
            silent=() if self.guard is None else self.guard.silent(now, self._agents.timeout),
        )
        self._seq += 1
        return state
