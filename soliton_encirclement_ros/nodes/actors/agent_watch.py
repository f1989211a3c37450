"""Reports of an agent: events, faults beyond its own inputs, and its separation filter.

Events are log lines: down and up, target lost and found, limits reached. Faults are neighbours
that have fallen silent, a law that failed, and the changes by the filter in the last second. The
agent does not fly to a target that is back after a long loss: it stops itself.
"""

import math
import time
from collections import deque
from collections.abc import Iterable, Sequence

from rclpy.impl.rcutils_logger import RcutilsLogger
from rclpy.node import Node

from soliton_encirclement_ros.core.fences import outside_of
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.flight_statistics.filter_tally import body_name
from soliton_encirclement_ros.core.laws.filter_codes import NONE, REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.run.swarm_health import DOWN, NEIGHBOURS_LOST
from soliton_encirclement_ros.core.states.states import Pose, State
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.members.own_agent import Agent
from soliton_encirclement_ros.members.own_rows import MemberDecision, OwnRows
from soliton_encirclement_ros.nodes.actors.actor_node import ActorNode
from soliton_encirclement_ros.nodes.actors.identity_watch import IdentityWatch, crowd_conditions
from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.core.velocity_model import Vector
from velocity_mobility_ros.ros_io.conditions import Condition, Level

LONG = 5.0
"""Time [s] at the speed limit after which a line is logged."""

NEARLY = 1.0 - 1e-9
"""Share of a limit from which a speed counts as at the limit."""


class AgentEvents:
    """Compares an agent with its state a tick ago; logs only changes."""

    def __init__(self, logger: RcutilsLogger, agent: Agent) -> None:
        """Begin with an agent that is up and has received nothing."""
        self._logger = logger
        self._agent = agent
        self._down_at: float | None = None
        self._has_target = False
        self._lost_at: float | None = None
        self._is_new = True
        self._fast_since: float | None = None
        self._is_fast_logged = False
        self._named: dict[int, str] = {}

    def after_tick(self, now: float, command: Vector) -> None:
        """Check the agent after a tick at a time [s] with its command [m/s]."""
        self._check_failures(now)
        if self._down_at is None:
            self._check_target(now)
            self._check_names()
            self._check_speed(now, math.hypot(command[0], command[1]))

    def _check_failures(self, now: float) -> None:
        failures = self._agent.failures
        if failures.failed and self._down_at is None:
            self._down_at, self._has_target, self._lost_at = now, False, None
            self._logger.warning(
                f'the agent is down ({failures.cause}): it stops and sends no state'
            )
        elif not failures.failed and self._down_at is not None:
            self._logger.info(f'the agent is up again after {now - self._down_at:.1f} s')
            self._down_at = self._fast_since = None
            self._is_fast_logged = False

    def _check_target(self, now: float) -> None:
        received = self._agent.hears_target(now)
        if received == self._has_target:
            return
        if received and self._is_new:
            self._logger.info('target received for the first time')
        elif received and self._lost_at is not None:
            self._logger.info(f'target received again after {now - self._lost_at:.1f} s')
        elif not received:
            age = self._agent.target_age(now)
            self._lost_at = now - age
            self._logger.warning(f'target lost: last received {age:.2f} s ago')
        self._has_target, self._is_new = received, False

    def _check_names(self) -> None:
        named = self._agent.named
        for k, why in named.items():
            if k not in self._named:
                self._logger.warning(f'{NEIGHBOUR_NAMED} {uav(k)}: {why}')
        for k in [k for k in self._named if k not in named]:
            self._logger.info(f'states of {uav(k)} believed again')
        self._named = named

    def _check_speed(self, now: float, speed: float) -> None:
        if speed < NEARLY * self._agent.max_speed:
            if self._is_fast_logged:
                self._logger.info(f'below the speed limit again after {self._fast_for(now):.1f} s')
            self._fast_since, self._is_fast_logged = None, False
        elif self._fast_since is None:
            self._fast_since = now
        elif not self._is_fast_logged and self._fast_for(now) > LONG:
            self._is_fast_logged = True
            limit = f'max_speed_xy = {self._agent.max_speed:g} m/s'
            self._logger.info(f'commands at the speed limit for {LONG:g} s ({limit})')

    def _fast_for(self, now: float) -> float:
        return now - self._fast_since


HEIGHT_SLACK = 0.5
"""How far [m] a height may be outside of its band without a word: vehicles and sensors swing."""

PERIOD = 1.0
"""Time [s] over which commands are counted."""

FLY_INSIDE = 'fly it inside first'

ALARMS = {
    RELAXED: 'no command restores all distances at once; they are restored more slowly',
    STOP: 'its input is not finite, the command is 0',
}


class FilterWatch:
    """Looks at the filter after every tick."""

    def __init__(self, agent: Agent) -> None:
        """Watch an agent, which need not have a filter."""
        self._agent = agent
        self._reasons: deque[tuple[float, int]] = deque()
        self._last_reason, self._last_pusher = NONE, ''
        self._pose: Pose | None = None

    def after_tick(self, now: float, pose: Pose) -> None:
        """Note what the filter did at a time [s] and a measured pose."""
        self._pose = pose
        filtered = self._agent.filtered
        if not filtered:
            return
        reason, pusher, _ = filtered
        self._reasons.append((now, int(reason)))
        if reason != NONE:
            self._last_reason, self._last_pusher = int(reason), body_name(int(pusher))
        self._forget(now)

    def diagnostic_values(self) -> dict[str, object]:
        """Return the share of changed commands, and reason and pusher of the last change."""
        if not self._agent.filtered:
            return {}
        changed = sum(reason != NONE for _, reason in self._reasons)
        return {
            'filter_share': f'{changed / max(1, len(self._reasons)):.3f}',
            'filter_last_reason': REASONS[self._last_reason],
            'filter_last_pusher': self._last_pusher,
            **fence_values(self._agent.rows, self._pose),
        }

    def conditions(self) -> list[Condition]:
        """Return the fault that the filter could not keep all distances."""
        present = {reason for _, reason in self._reasons}
        return [
            Condition(Level.WARN, f'separation filter {REASONS[code]}: {text}')
            for code, text in ALARMS.items() if code in present
        ]  # fmt: skip

    def _forget(self, now: float) -> None:
        """Drop entries older than the period, and all of them if time went back."""
        while self._reasons and not now - PERIOD < self._reasons[0][0] <= now:
            self._reasons.popleft()


def fence_values(rows: OwnRows, pose: Pose | None) -> dict[str, object]:
    """Return the distance [m] to the fence; empty without filter, fence or pose."""
    room = math.inf if pose is None else rows.room(pose.position)
    return {} if math.isinf(room) else {'fence_distance_m': f'{room:.2f}'}


def refuse_fence(
    member: ActorNode, name: str, before: SafetyParameters, after: SafetyParameters
) -> None:
    """Refuse a new fence that does not enclose the vehicle, as at the start of a flight.

    Args:
        member: Knows where the vehicle is.
        name: Name of the vehicle.
        before: The present distances.
        after: The wanted ones.

    Raises:
        ParameterError: The vehicle is outside.
    """
    pose = member.pose
    if pose is None or not after.separation_filter or after.fence == before.fence:
        return
    fault = outside_of(after.fence, 'fence', f'{name} is', *pose.position[:2], FLY_INSIDE)
    if fault:
        raise ParameterError(fault)


def outside_doubts(safety: SafetyParameters, name: str, pose: Pose | None) -> list[str]:
    """Return that a vehicle is outside of its fence or heights, from where it flies back."""
    if pose is None:
        return []
    x, y, z = pose.position
    fault = outside_of(safety.fence, 'it', f'{name} is', x, y, FLY_INSIDE)
    texts = [f'fence: {fault}'] if fault else []
    low, high = safety.lowest_height, safety.highest_height
    if low is not None and z < low - HEIGHT_SLACK:
        texts.append(f'lowest_height = {low:g} m: {name} is at {z:.1f} m and climbs')
    if high is not None and z > high + HEIGHT_SLACK:
        texts.append(f'highest_height = {high:g} m: {name} is at {z:.1f} m and sinks')
    return texts


FORGOTTEN_AFTER = 60.0
"""Time [s] after which a lost agent is no longer reported."""

LOG_PERIOD = 5.0
"""Shortest time [s] between two lines."""


class NeighbourWatch:
    """Compares the received agents from check to check."""

    def __init__(self, logger: RcutilsLogger) -> None:
        """Begin without neighbours."""
        self._logger = logger
        self._received_at: dict[int, float] = {}
        self._logged: set[int] = set()
        self._logged_at = -LOG_PERIOD

    def update(self, now: float, wall: float, alive: Iterable[int]) -> None:
        """Update with the received agents.

        Args:
            now: Time of the agent [s].
            wall: Wall time [s], for the rate of the log.
            alive: Numbers of the agents received.
        """
        self._received_at.update(dict.fromkeys(alive, now))
        for k in [k for k, at in self._received_at.items() if now - at > FORGOTTEN_AFTER]:
            del self._received_at[k]
        if wall - self._logged_at >= LOG_PERIOD:
            self._log(now, wall)

    def forget(self) -> None:
        """Reset, for an agent that received nothing while it was down."""
        self._received_at, self._logged = {}, set()

    def lost(self, now: float) -> dict[int, float]:
        """Return the agents lost at a time [s], and for how long [s]."""
        return {k: now - at for k, at in sorted(self._received_at.items()) if at < now}

    def conditions(self, now: float) -> list[Condition]:
        """Return the faults at a time [s]."""
        lost = self.lost(now)
        if not lost:
            return []
        names = named([f'{uav(k)} (for {since:.0f} s)' for k, since in lost.items()])
        return [Condition(Level.WARN, f'{NEIGHBOURS_LOST}: {names}')]

    def _log(self, now: float, wall: float) -> None:
        lost = set(self.lost(now))
        gone, back = (
            sorted(lost - self._logged),
            sorted((self._logged - lost) & set(self._received_at)),
        )
        if gone:
            self._logger.warning(f'neighbours lost: {named([uav(k) for k in gone])}')
        if back:
            self._logger.info(f'neighbours received again: {named([uav(k) for k in back])}')
        if gone or back:
            self._logged_at = wall
        self._logged = lost


NEIGHBOUR_NAMED = 'states not believed of'
"""Begin of the fault that the states of a neighbour cannot be true."""

LAW_FAILED = 'the law failed'
"""Why an agent is down whose law raised an exception, or returned a non-finite velocity."""


class AgentWatch:
    """Monitors an agent from outside; the agent does not depend on it."""

    def __init__(self, node: Node, agent: Agent, target: str, own: str | None) -> None:
        """Start.

        Args:
            node: The agent's node.
            agent: The agent.
            target: Topic of the target's states.
            own: Topic of the agents' states, on which each receives its own; None where none does.
        """
        self._agent = agent
        self._target = target
        self._events = AgentEvents(node.get_logger(), agent)
        self._neighbours = NeighbourWatch(node.get_logger())
        self._identity = IdentityWatch(node, agent.agent_id, own, True) if own else None
        self._filter = FilterWatch(agent)
        self._speed = 0.0

    def is_second(self, pose: Pose) -> bool:
        """Return whether the agent gives way to an earlier one with its number."""
        if self._identity is None:
            return False
        self._identity.place = pose.position
        return self._identity.is_second

    def receive(self, states: Sequence[State]) -> None:
        """Check the states that the agent receives."""
        if self._identity is not None:
            self._identity.receive(tuple(states))

    def after_tick(self, now: float, pose: Pose, decision: MemberDecision) -> None:
        """Check the output of the agent at a time [s] and a measured pose."""
        if self._identity is not None and decision.state is not None:
            self._identity.sent(decision.state)
        self._speed = math.hypot(*decision.command)
        self._events.after_tick(now, decision.command)
        self._filter.after_tick(now, pose)

    def diagnostic_values(self, now: float) -> dict[str, object]:
        """Return key values at a time [s]."""
        return {
            'failed': self._agent.failures.failed,
            'neighbour_timeouts': self._agent.timeouts,
            'neighbours_named': ','.join(map(uav, sorted(self._agent.named))),
            'neighbours_heard': len(self._agent.neighbours(now)),
            'target_age_s': f'{self._agent.target_age(now):.3f}',
            'command_speed_m_per_s': f'{self._speed:.3f}',
            **self._filter.diagnostic_values(),
        }

    def conditions(self, now: float) -> list[Condition]:
        """Return all faults at a time [s]; call it once a second."""
        faults = self._identity.conditions() if self._identity else []
        failures = self._agent.failures
        if failures.failed:
            self._neighbours.forget()
            level = Level.ERROR if failures.cause == LAW_FAILED else Level.WARN
            return [*faults, Condition(level, f'{DOWN} ({failures.cause})')]
        self._neighbours.update(now, time.monotonic(), self._agent.neighbours(now))
        faults += [*self._filter.conditions(), *crowd_conditions(self._agent.rows.is_full)]
        named = [
            Condition(Level.WARN, f'{NEIGHBOUR_NAMED} {uav(k)}: {why}')
            for k, why in sorted(self._agent.named.items())
        ]
        return [*faults, *self._of_target(now), *self._neighbours.conditions(now), *named]

    def _of_target(self, now: float) -> list[Condition]:
        if self._agent.hears_target(now):
            return []
        age = self._agent.target_age(now)
        if math.isinf(age):
            reason = f'no state of the target received yet on {self._target}'
            return [Condition(Level.STALE, reason, unheard=self._target)]
        return [Condition(Level.ERROR, f'target lost: last received {age:.1f} s ago')]


class TargetLoss:
    """Looks at an agent at every tick; one loss stops it at most once.

    A loss begins to count once the target has been heard, and is over once it is heard again. One
    that grows too long while the agent is stopped already, or down, stops nobody later: whoever
    releases the agent lets it fly.
    """

    def __init__(self, agent: Agent) -> None:
        """Begin without a target that was heard."""
        self._agent = agent
        self._counts = False

    def reason_to_stop(self, now: float, longest: float, is_stopped: bool) -> str:
        """Return why the agent has to stop itself now, empty if it need not.

        Args:
            now: Time of the agent [s].
            longest: Longest time without the target [s]; 0: any.
            is_stopped: Whether it is stopped already.
        """
        agent = self._agent
        if agent.failures.failed:
            self._counts = False
        elif agent.hears_target(now):
            self._counts = True
        elif self._counts and 0.0 < longest < agent.target_age(now):
            self._counts = False
            return '' if is_stopped else f'target lost for {longest:g} s'
        return ''
