"""Interface to the observed data of a flight, for summary, progress and plots."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from soliton_encirclement_ros.core.run.figures.gap_recovery import RingEvent, Series
from soliton_encirclement_ros.core.run.observer import ObservedSample
from soliton_encirclement_ros.core.run.run_record import Approach, Trail
from soliton_encirclement_ros.core.run.separation.filter_tally import FilterTally


class RunObservation(Protocol):
    """Data observed up to now, from an ``Observer`` or an ``EngineObserver``.

    Attributes:
        series: Samples of ``time`` [s], of the metrics and of ``alive``, by name.
        events: Failures and recoveries with their times.
        trails: Paths by name of the body; may be empty if no plots are drawn.
        last: The newest sample, None before the first.
        closest: The two agents that came closest so far.
        filtered: What the separation filter did; None without one.
        outside: Positions outside the fence or the band of heights, one per agent and sample.
        estimate_errors: Rows of ``estimate_error`` by agent; none if the target broadcasts its
            state.
    """

    series: Series
    events: Sequence[RingEvent]
    trails: Mapping[str, Trail]
    last: ObservedSample | None
    closest: Approach
    filtered: FilterTally | None
    outside: int
    estimate_errors: Sequence[Sequence[float]]

    @property
    def near_misses_per_min(self) -> Sequence[float | None]:
        """Encounters per minute by threshold of ``near_misses``; None where unknown."""

    @property
    def received(self) -> Collection[int]:
        """Numbers of the agents of which something is received."""

    @property
    def down(self) -> Sequence[int]:
        """Numbers of the agents that are down."""

    @property
    def failures(self) -> int:
        """How often an agent went down."""

    @property
    def recoveries(self) -> int:
        """How often an agent came up again."""

    @property
    def switches_per_min(self) -> float | None:
        """Neighbour switches per agent and minute of up-time, None without any."""
