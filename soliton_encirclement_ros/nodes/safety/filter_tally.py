"""How often the separation filter changes commands, and the last change."""

import time
from collections.abc import Sequence

from velocity_mobility_ros.ros_io.conditions import Condition, Level

from soliton_encirclement_ros.core.figures.filter_tally import body_name
from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.laws.filter_codes import NONE, REASONS
from soliton_encirclement_ros.core.states.swarm_topics import uav
from soliton_encirclement_ros.members.guarded_vehicle import GuardedVehicle
from soliton_encirclement_ros.nodes.safety.other_vehicles import OtherVehicles
from soliton_encirclement_ros.swarm.memory_rows import FilterDone


class FilterTally:
    """The results of the filter of one vehicle, and rates since the last status."""

    def __init__(self) -> None:
        """Begin without results."""
        self._results = self._changed = 0
        self._total = 0
        self._last = 'none'
        self._pusher = 'none'
        self._since = time.monotonic()

    def add(self, result: FilterDone, others: OtherVehicles) -> None:
        """Count a result; others are those that its numbers may stand for."""
        self._results += 1
        if result.reason == NONE:
            return
        self._changed += 1
        self._total += 1
        self._last = REASONS[result.reason]
        self._pusher = pusher_name(result.pusher, others)

    def take(self, commands: int) -> dict[str, object]:
        """Return the values since the last call.

        Args:
            commands: Commands received since then.
        """
        now = time.monotonic()
        span, self._since = now - self._since, now
        share = self._changed / self._results if self._results else 0.0
        self._results = self._changed = 0
        return {
            'command_rate_hz': f'{commands / span:.1f}' if span > 0.0 else '0.0',
            'changed_share': f'{share:.3f}',
            'changed_commands': self._total,
            'last_change_reason': self._last,
            'last_change_by': self._pusher,
        }


def pusher_name(number: int, others: OtherVehicles) -> str:
    """Return the name of the body that changed a command most."""
    return others.topic_of(number) or body_name(number) or 'none'


def told_result(filtered: Sequence[float], others: OtherVehicles) -> tuple[float, ...]:
    """Return the values of ``telemetry.FILTER_NAMES``, with numbers that everybody knows.

    Args:
        filtered: The values with the numbers of this node; none without a filter.
        others: Those that have a number in this node alone.
    """
    if not filtered:
        return ()
    reason, pusher, change = filtered
    return reason, float(others.told_as(int(pusher))), change


def filter_conditions(vehicle: GuardedVehicle, now: float) -> list[Condition]:
    """Return what the filter of a vehicle does not do, or only assumes, at a time [s]."""
    if not vehicle.is_filtered:
        return [Condition(Level.WARN, 'separation_filter = false: commands are only limited')]
    silent = vehicle.silent(now)
    if not silent:
        return []
    names = named([uav(k) for k in silent])
    return [Condition(Level.WARN, f'silent: {names}; counted as stopped', 'silent vehicles')]
