"""Whether the swarm keeps its control period, from the diagnostics of its members."""

import time

from diagnostic_msgs.msg import DiagnosticArray
from velocity_mobility_ros.ros_io.conditions import Condition, Level
from velocity_mobility_ros.ros_io.node_time import SHED_FROM

from soliton_encirclement_ros.core.files import named
from soliton_encirclement_ros.core.states.swarm_topics import MISSED_TICKS, Fleet

VALID_FOR = 5.0
"""Wall time [s] for which a status of a member counts."""


class OverloadReport:
    """The share of missed ticks of each member of a fleet."""

    def __init__(self, fleet: Fleet) -> None:
        """Start without a member."""
        self._fleet = fleet
        self._missed: dict[str, tuple[float, float]] = {}

    def take(self, message: DiagnosticArray) -> None:
        """Read a message; statuses of other fleets, and without missed ticks, are ignored."""
        for status in message.status:
            member = status.hardware_id
            if not self._fleet.has(f'/{member}'):
                continue
            for pair in status.values:
                if pair.key == MISSED_TICKS:
                    self._note(member, pair.value)

    def conditions(self) -> list[Condition]:
        """Return the fault of the members that miss many ticks, if any."""
        oldest = time.monotonic() - VALID_FOR
        late = {
            member: missed
            for member, (at, missed) in self._missed.items()
            if at >= oldest and missed >= SHED_FROM
        }
        if not late:
            return []
        reason = (
            f'{named(sorted(late))} miss up to {100.0 * max(late.values()):.0f} % of their '
            'control ticks: the machine is too slow; fly fewer agents, let more of them share a '
            'process (--processes), or raise control_period'
        )
        return [Condition(Level.WARN, reason, 'control ticks of the swarm')]

    def _note(self, member: str, text: str) -> None:
        try:
            missed = float(text)
        except ValueError:
            return
        if 0.0 <= missed <= 1.0:
            self._missed[member] = (time.monotonic(), missed)
