"""What is known of the commands of all agents: those out of bounds, and how much they change."""

from collections.abc import Sequence

from soliton_encirclement_ros.core.run.figures.command_effort import (
    effort_facts,
    no_effort,
    note_effort,
)
from soliton_encirclement_ros.core.run.separation.flight_bounds import (
    BEYOND,
    NOT_FINITE,
    is_broken,
    is_unlimited,
)


class CommandRecord:
    """The record of one run.

    Attributes:
        beyond: Commands beyond the limits of their vehicle.
        not_finite: Commands with a number that is not finite.
        efforts: A row of ``command_effort`` per agent, by number.
    """

    def __init__(self, agents: int, period: float) -> None:
        """Start at 0.

        Args:
            agents: How many there are.
            period: Time between two commands of an agent [s].
        """
        self.beyond = self.not_finite = 0
        self.efforts = [no_effort() for _ in range(agents)]
        self._period = period

    def note(self, agent_id: int, velocity: Sequence[float], max_xy: float, max_z: float) -> None:
        """Count a command [m/s] of ``uav_k`` with its limits [m/s]."""
        self.beyond += int(is_unlimited(velocity, max_xy, max_z))
        self.not_finite += int(is_broken(velocity))
        note_effort(self.efforts[agent_id - 1], *velocity)

    @property
    def facts(self) -> dict[str, float | None]:
        """The entries of a summary."""
        counts = {BEYOND: self.beyond, NOT_FINITE: self.not_finite}
        return {**counts, **effort_facts(self.efforts, self._period)}
