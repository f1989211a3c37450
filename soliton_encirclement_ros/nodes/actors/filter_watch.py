"""What the separation filter of an agent did in the last second, for its diagnostics."""

import math
from collections import deque
from typing import Protocol

from velocity_mobility_ros.core.user_errors import ParameterError
from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.core.fences import outside_of
from soliton_encirclement_ros.core.figures.filter_tally import body_name
from soliton_encirclement_ros.core.laws.filter_codes import NONE, REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.parameters.run_parameters import SafetyParameters
from soliton_encirclement_ros.core.states.states import Pose
from soliton_encirclement_ros.members.own_agent import Agent
from soliton_encirclement_ros.members.own_rows import OwnRows

HEIGHT_SLACK = 0.5
"""How far [m] a height may be outside of its band without a word: vehicles and sensors swing."""

PERIOD = 1.0
"""Time [s] over which commands are counted."""

FLY_INSIDE = 'fly it inside first'

ALARMS = {
    RELAXED: 'no command restores all distances at once; they are restored more slowly',
    STOP: 'its input is not finite, the command is 0',
}


class Placed(Protocol):
    """A member that knows where it is.

    Attributes:
        pose: Its last pose, None before the first.
    """

    pose: Pose | None


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
        """Drop what is older than the period, and everything if time went back."""
        while self._reasons and not now - PERIOD < self._reasons[0][0] <= now:
            self._reasons.popleft()


def fence_values(rows: OwnRows, pose: Pose | None) -> dict[str, object]:
    """Return how far [m] a vehicle is inside its fence; nothing without filter, fence or pose."""
    room = math.inf if pose is None else rows.room(pose.position)
    return {} if math.isinf(room) else {'fence_distance_m': f'{room:.2f}'}


def refuse_fence(
    member: Placed, name: str, before: SafetyParameters, after: SafetyParameters
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
    found = [f'fence: {fault}'] if fault else []
    low, high = safety.lowest_height, safety.highest_height
    if low is not None and z < low - HEIGHT_SLACK:
        found.append(f'lowest_height = {low:g} m: {name} is at {z:.1f} m and climbs')
    if high is not None and z > high + HEIGHT_SLACK:
        found.append(f'highest_height = {high:g} m: {name} is at {z:.1f} m and sinks')
    return found
