"""The separation filter of one agent: what it knows of others, and what it does to commands."""

import math
from collections.abc import Sequence

from velocity_mobility_ros.core.model import Vector

from soliton_encirclement_ros.actors.command_filter import CommandFilter, OtherBodies
from soliton_encirclement_ros.actors.standing_filter import MakeFilter, StandingFilter
from soliton_encirclement_ros.core.fences.polygon import distance_inside
from soliton_encirclement_ros.core.parameters.safety_parameters import SafetyParameters
from soliton_encirclement_ros.core.parameters.swarm_parameters import (
    CommandLimits,
    SwarmParameters,
)
from soliton_encirclement_ros.core.states.known_bodies import KnownBodies
from soliton_encirclement_ros.core.states.message_acceptance import SingleCache
from soliton_encirclement_ros.core.states.shared_steps import shared_step
from soliton_encirclement_ros.core.states.states import (
    AdversaryState,
    Pose,
    SilentBody,
    State,
)
from soliton_encirclement_ros.safety.calling import command_change
from soliton_encirclement_ros.safety.codes import (
    ADVERSARY,
    ADVERSARY_ID,
    GHOST,
    MUTUAL,
    NOBODY,
    NONE,
    TARGET,
    TARGET_ID,
)
from soliton_encirclement_ros.safety.records import (
    START,
    Filtered,
    FilterSettings,
    OwnState,
    Rows,
)
from soliton_encirclement_ros.safety.settings import fence_of, filter_settings

STILL: Vector = (0.0, 0.0, 0.0)


@shared_step
def _of_adversary(states: tuple[State, ...]) -> list[AdversaryState]:
    return [state for state in states if isinstance(state, AdversaryState)]


class SeparationGuard:
    """The filter of one agent.

    Attributes:
        last: The last result.
    """

    def __init__(
        self,
        agent_id: int,
        settings: FilterSettings,
        fence: Rows,
        target_timeout: float,
        make_filter: MakeFilter = CommandFilter,
    ) -> None:
        """Know nobody, with command 0 in effect.

        Args:
            agent_id: Number of the agent.
            settings: The filter's numbers.
            fence: Edges of the fence, none without one.
            target_timeout: Time [s] after which target and adversary count as lost.
            make_filter: Makes the filter of the numbers and the fence.
        """
        self._make_filter = make_filter
        self._standing: StandingFilter | None = None
        self.retune(settings, fence)
        self._bodies = KnownBodies(agent_id)
        self._adversary = SingleCache(target_timeout)
        self._in_effect = STILL
        self.last = Filtered(STILL, NONE, NOBODY, START)
        self._change = 0.0

    def retune(self, settings: FilterSettings, fence: Rows) -> None:
        """Go on with other numbers and another fence."""
        self._settings, self._filter = settings, self._make_filter(settings, fence)
        self._fence, self._standing = fence, None

    def receive(self, states: tuple[State, ...], now: float, timeout: float) -> None:
        """Store received states, at a time [s]; see ``KnownBodies``."""
        self._bodies.receive(states, now, timeout)
        for state in _of_adversary(states):
            self._adversary.accept(state, now)

    def keep_up_with(self, target_timeout: float) -> None:
        """Let the timeout of the adversary be that of the target [s]."""
        self._adversary.timeout = target_timeout

    def silent(self, now: float, timeout: float) -> tuple[SilentBody, ...]:
        """Return the silent agents, to tell others of them."""
        return self._bodies.silent(now, timeout)

    def room(self, position: Vector) -> float:
        """Return the distance [m] to the fence; negative: outside; infinite: there is none."""
        return distance_inside(self._fence, *position[:2]) if len(self._fence) else math.inf

    @property
    def telemetry(self) -> tuple[float, float, float]:
        """The values of ``telemetry.FILTER_NAMES``: reason, pusher, change [m/s]."""
        return float(self.last.reason), float(self.last.pusher), self._change

    def stop(self) -> None:
        """Note that command 0 is in effect, without the filter."""
        self._in_effect, self._change = STILL, 0.0
        self.last = Filtered(STILL, NONE, NOBODY, self.last.memory)

    def command(
        self,
        wanted: Vector,
        now: float,
        pose: Pose,
        timeout: float,
        target: SingleCache,
        pose_age: float = 0.0,
        more: Sequence[Sequence[float]] = (),
    ) -> Vector:
        """Return the command [m/s, map] nearest to the wanted one that keeps all distances.

        The filter predicts an old pose with the command in effect since then, and counts all
        times from then.

        Args:
            wanted: Wanted velocity [m/s, map].
            now: Time [s].
            pose: The own pose.
            timeout: Age [s] of the last reception beyond which an agent counts as silent.
            target: What is known of the target.
            pose_age: Age [s] of the own pose.
            more: Rows of further bodies at the time of the pose, see ``safety.codes``.
        """
        others = self._others(now, timeout, target, pose_age, more)
        own = OwnState(pose.position, pose.velocity)
        self.last = self._filter.filtered(
            pose_age, own, wanted, self._in_effect, others, self.last.memory
        )
        self._in_effect = self.last.command
        self._change = command_change(wanted, self._in_effect)
        return self._in_effect

    def stand(
        self,
        now: float,
        pose: Pose,
        timeout: float,
        target: SingleCache,
        pose_age: float = 0.0,
        more: Sequence[Sequence[float]] = (),
    ) -> Vector:
        """Return the command [m/s, map] of a vehicle that is to stand still.

        It is 0 while all distances to others are kept; else it leads away from them, slowly and
        level. The arguments are those of ``command``.
        """
        if self._standing is None:
            self._standing = StandingFilter(self._make_filter, self._settings, self._fence)
        others = self._others(now, timeout, target, pose_age, more)
        own = OwnState(pose.position, pose.velocity)
        self.last = self._standing.filtered(pose_age, own, self._in_effect, others)
        self._in_effect = self.last.command
        self._change = command_change(STILL, self._in_effect)
        return self._in_effect

    def _others(
        self,
        now: float,
        timeout: float,
        target: SingleCache,
        pose_age: float,
        more: Sequence[Sequence[float]],
    ) -> OtherBodies:
        """Return the other bodies at the time of the own pose; see ``command``."""
        if pose_age > 0.0:
            now -= pose_age
        common, place = self._bodies.common_rows(now, timeout, MUTUAL, GHOST)
        singles = []
        if self._settings.target_radius > 0.0:
            singles += single_row(target, now, TARGET, TARGET_ID)
        if self._settings.adversary_radius > 0.0:
            singles += single_row(self._adversary, now, ADVERSARY, ADVERSARY_ID)
        return OtherBodies(common, place, [*singles, *more])


def single_row(known: SingleCache, now: float, kind: int, number: int) -> list[list[float]]:
    """Return the row of target or adversary, none if it is lost: nothing is known of it then."""
    if known.state is None or not known.is_alive(now):
        return []
    return [[*known.state.position, *known.state.velocity, known.age(now), kind, float(number)]]


def make_guard(
    agent_id: int,
    safety: SafetyParameters,
    limits: CommandLimits,
    swarm: SwarmParameters,
    make_filter: MakeFilter = CommandFilter,
) -> SeparationGuard | None:
    """Return the filter of an agent, None if its commands are not filtered."""
    if not safety.separation_filter:
        return None
    settings, timeout = filter_settings(safety, limits, swarm), swarm.target_state_timeout
    return SeparationGuard(agent_id, settings, fence_of(safety), timeout, make_filter)
