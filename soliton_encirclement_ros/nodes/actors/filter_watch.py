"""What the separation filter of an agent did in the last second, for its diagnostics."""

import math
from collections import deque

from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.actors.agent import Agent
from soliton_encirclement_ros.actors.separation_guard import SeparationGuard
from soliton_encirclement_ros.core.laws.filter_codes import NONE, REASONS, RELAXED, STOP
from soliton_encirclement_ros.core.run.separation.filter_tally import body_name
from soliton_encirclement_ros.core.states.states import Pose

PERIOD = 1.0
"""Time [s] over which commands are counted."""

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
            **fence_values(self._agent.guard, self._pose),
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


def fence_values(guard: SeparationGuard | None, pose: Pose | None) -> dict[str, object]:
    """Return how far [m] a vehicle is inside its fence; nothing without filter, fence or pose."""
    room = math.inf if guard is None or pose is None else guard.room(pose.position)
    return {} if math.isinf(room) else {'fence_distance_m': f'{room:.2f}'}
