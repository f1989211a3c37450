"""The health of a swarm in one word, with the reasons.

Diagnostics begin with fixed words where they follow from the failure of an agent, which is an
event by itself.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.scenario.contradictions import active_lines

OK, DEGRADED, FAILED = 'OK', 'DEGRADED', 'FAILED'

HEALTH = 'health'
"""Its name in diagnostics."""

NEAR_MISS_PERIOD = 10.0
"""Time [s] for which a near miss counts."""

ALARM_PERIOD = 1.0
"""Time [s] for which a command counts that a filter could not make safe."""

OFF_RING_PERIOD = 30.0
"""Time [s] for which an agent may be off the ring before it is named."""

EVERYBODY = 'all'

SILENT = 'silent: '
"""Begin of the reason that names silent agents."""

NOTHING: Mapping[str, str] = MappingProxyType({})


class SwarmCondition(NamedTuple):
    """The state of a swarm, as observed.

    Attributes:
        agents: How many agents take part.
        silent: Names of those that are not received.
        has_target: Whether the target was ever received.
        target_age: Time since its last state [s].
        target_timeout: When it counts as lost [s].
        near_miss_age: Time since the last near miss [s]; infinite before the first.
        near_miss_distance: Distance below which it is one [m].
        stopped: Members stopped by an operator, ``all`` for all of them.
        relaxed: Names of the agents whose filter is RELAXED or at STOP.
        min_alive_share: Least share of agents received, below which the swarm fails.
        faulty: Errors that members report, by name.
        doubtful: Names of the members that warn of their parameters.
        off_ring: Names of the agents that have been off the ring for ``OFF_RING_PERIOD``.
    """

    agents: int
    silent: Sequence[str]
    has_target: bool
    target_age: float
    target_timeout: float
    near_miss_age: float
    near_miss_distance: float
    stopped: Sequence[str]
    relaxed: Sequence[str]
    min_alive_share: float
    faulty: Mapping[str, str] = NOTHING
    doubtful: Sequence[str] = ()
    off_ring: Sequence[str] = ()


class SwarmHealth(NamedTuple):
    """``OK``, ``DEGRADED`` or ``FAILED``, and why."""

    state: str
    reasons: tuple[str, ...]


def swarm_health(condition: SwarmCondition) -> SwarmHealth:
    """Return the health of a swarm; those reasons first for which it fails."""
    failed, degraded = _failures(condition), _faults(condition)
    state = FAILED if failed else DEGRADED if degraded else OK
    return SwarmHealth(state, (*failed, *degraded))


def _failures(condition: SwarmCondition) -> list[str]:
    alive = condition.agents - len(condition.silent)
    return active_lines(
        (not condition.has_target, 'no state of the target received yet'),
        (condition.has_target and condition.target_age > condition.target_timeout,
         f'target lost: last received {condition.target_age:.1f} s ago'),
        (alive < condition.min_alive_share * condition.agents,
         f'{alive} of {condition.agents} agents received'),
        (EVERYBODY in condition.stopped, 'all stopped by the operator'),
    )  # fmt: skip


def _faults(condition: SwarmCondition) -> list[str]:
    stopped = [name for name in condition.stopped if name != EVERYBODY]
    first = next(iter(condition.faulty.values()), '')
    return active_lines(
        (bool(condition.silent), f'{SILENT}{named(condition.silent)}'),
        (bool(stopped), f'stopped: {named(stopped)}'),
        (condition.near_miss_age <= NEAR_MISS_PERIOD,
         f'two agents nearer than {condition.near_miss_distance:g} m '
         f'{condition.near_miss_age:.1f} s ago'),
        (bool(condition.off_ring),
         f'off the ring for {OFF_RING_PERIOD:g} s: {named(condition.off_ring)}'),
        (bool(condition.relaxed), f'separation filter relaxed: {named(condition.relaxed)}'),
        (bool(condition.faulty), f'error at {named([*condition.faulty])}: {first}'),
        (bool(condition.doubtful), f'doubtful parameters: {named(condition.doubtful)}'),
    )  # fmt: skip


class RingWatch:
    """Who is off the ring, and since when."""

    def __init__(self, radius: float, bound: float) -> None:
        """Begin with nobody.

        Args:
            radius: Of the ring [m].
            bound: Share of the radius by which an agent may be off.
        """
        self._radius, self._bound = radius, bound
        self._since: dict[str, float] = {}

    def look(self, now: float, distances: Mapping[str, float]) -> list[str]:
        """Return who has been off the ring for long.

        Args:
            now: Time [s].
            distances: From the target across the ground [m], by name; who is left out is judged
                anew when it is there again.
        """
        self._since = {
            name: min(now, self._since.get(name, now)) for name, distance in distances.items()
            if abs(distance / self._radius - 1.0) > self._bound
        }  # fmt: skip
        return [name for name, since in self._since.items() if now - since >= OFF_RING_PERIOD]


DOWN = 'the agent is down'
NEIGHBOURS_LOST = 'neighbours lost'
INJECTING = 'failure injection is on'

OF_FAILURES = (DOWN, NEIGHBOURS_LOST, INJECTING)
