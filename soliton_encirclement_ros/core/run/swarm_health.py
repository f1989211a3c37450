"""The health of a swarm in one word, with the reasons.

Diagnostics begin with fixed words where they follow from the failure of an agent, which is an
event by itself.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.scenario.contradictions import those_that_hold

OK, DEGRADED, FAILED = 'OK', 'DEGRADED', 'FAILED'

HEALTH = 'health'
"""Its name in diagnostics."""

NEAR_MISS_PERIOD = 10.0
"""Time [s] for which a near miss counts."""

ALARM_PERIOD = 1.0
"""Time [s] for which a command counts that a filter could not make safe."""

EVERYBODY = 'all'

SILENT = 'silent: '
"""Begin of the reason that names who is silent."""

NOTHING: Mapping[str, str] = MappingProxyType({})


class SwarmCondition(NamedTuple):
    """What is known of a swarm.

    Attributes:
        agents: How many agents take part.
        silent: Names of those that are not received.
        has_target: Whether the target was ever received.
        target_age: Time since its last state [s].
        target_timeout: When it counts as lost [s].
        near_miss_age: Time since the last near miss [s]; infinite before the first.
        near_miss_distance: Distance below which it is one [m].
        stopped: Who is stopped by an operator, ``all`` for everybody.
        relaxed: Names of the agents whose filter is RELAXED or at STOP.
        min_alive_share: Least share of agents received, below which the swarm fails.
        faulty: What members report as an error, by name.
        doubtful: Names of the members that warn of their parameters.
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


class SwarmHealth(NamedTuple):
    """``OK``, ``DEGRADED`` or ``FAILED``, and why."""

    state: str
    reasons: tuple[str, ...]


def swarm_health(found: SwarmCondition) -> SwarmHealth:
    """Return the health of a swarm; those reasons first for which it fails."""
    failed, degraded = _failures(found), _faults(found)
    state = FAILED if failed else DEGRADED if degraded else OK
    return SwarmHealth(state, (*failed, *degraded))


def _failures(found: SwarmCondition) -> list[str]:
    alive = found.agents - len(found.silent)
    return those_that_hold(
        (not found.has_target, 'no state of the target received yet'),
        (found.has_target and found.target_age > found.target_timeout,
         f'target lost: last received {found.target_age:.1f} s ago'),
        (alive < found.min_alive_share * found.agents,
         f'{alive} of {found.agents} agents received'),
        (EVERYBODY in found.stopped, 'all stopped by the operator'),
    )  # fmt: skip


def _faults(found: SwarmCondition) -> list[str]:
    stopped = [name for name in found.stopped if name != EVERYBODY]
    first = next(iter(found.faulty.values()), '')
    return those_that_hold(
        (bool(found.silent), f'{SILENT}{named(found.silent)}'),
        (bool(stopped), f'stopped: {named(stopped)}'),
        (found.near_miss_age <= NEAR_MISS_PERIOD,
         f'two agents nearer than {found.near_miss_distance:g} m {found.near_miss_age:.1f} s ago'),
        (bool(found.relaxed), f'separation filter relaxed: {named(found.relaxed)}'),
        (bool(found.faulty), f'error at {named([*found.faulty])}: {first}'),
        (bool(found.doubtful), f'doubtful parameters: {named(found.doubtful)}'),
    )  # fmt: skip


DOWN = 'the agent is down'
NEIGHBOURS_LOST = 'neighbours lost'
INJECTING = 'failure injection is on'

OF_FAILURES = (DOWN, NEIGHBOURS_LOST, INJECTING)
