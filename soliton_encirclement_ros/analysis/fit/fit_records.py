"""What a fit is asked for, and what it finds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, parameter

from soliton_encirclement_ros.analysis.recording import Floats


@dataclass(frozen=True)
class FitSettings(Parameters):
    """How a recording is fitted; the defaults suit most."""

    update_rate: float = parameter(
        MobilityParameters.update_rate, 'time between two updates of the law', unit='s',
        minimum=1e-4, maximum=1.0,
    )  # fmt: skip
    hold_out: float = parameter(
        0.3, 'share at the end that is not fitted but predicted', minimum=0.05, maximum=0.9
    )
    longest_delay: float = parameter(
        0.5, 'largest delay looked for', unit='s', minimum=0.01, maximum=5.0
    )
    shortest_delay: float = parameter(
        -0.1, 'smallest delay looked for; below zero: the clocks of the topics differ', unit='s',
        minimum=-1.0, maximum=0.0,
    )  # fmt: skip
    silence: float = parameter(
        0.5, 'silence after which nobody knows what a vehicle does', unit='s', above=0.0
    )
    odometry_gap: float = parameter(
        1.0, 'time without odometry that ends a stretch', unit='s', above=0.0
    )
    longest_stretch: float = parameter(20.0, 'stretches are cut at', unit='s', minimum=2.0)
    most_updates: int = parameter(
        120_000, 'most updates that one evaluation flies; the liveliest stretches', minimum=1000,
        maximum=100_000_000,
    )  # fmt: skip


class Estimate(NamedTuple):
    """One parameter.

    Attributes:
        name: As in ``MobilityParameters``, or ``delay``.
        unit: Of all three numbers.
        known: Whether the data tell it.
        value: Best value; None where it is not known, and for a lag that is none.
        low: Lower end of the 95 % interval, None like the value.
        high: Upper end; of a lag that is none, what it is shorter than.
        reason: Why it is not known, or what is to be said of it; one line, may be empty.
    """

    name: str
    unit: str
    known: bool
    value: float | None
    low: float | None
    high: float | None
    reason: str


class Errors(NamedTuple):
    """Measured against predicted velocity, over all components [m/s].

    Attributes:
        xy: Root mean square, horizontal.
        z: The same, vertical.
        usual_xy: Deviation by the median, on which wild samples have no say.
        usual_z: The same, vertical.
        samples: How many.
    """

    xy: float
    z: float
    usual_xy: float
    usual_z: float
    samples: int


class Curve(NamedTuple):
    """A stretch that was predicted, not fitted: time (K,) [s], velocities (K, 3) [m/s]."""

    agent: str
    time: Floats
    measured: Floats
    predicted: Floats
    commanded: Floats


class Fit(NamedTuple):
    """What came out.

    Attributes:
        estimates: By name, the six of the mobility and ``delay``.
        agents: Who was fitted.
        update_rate: Update period of the law that was fitted [s].
        until: Time up to which data were fitted [s]; later data were predicted.
        used: Length of all fitted stretches [s], over all agents.
        fitted: Errors over what was fitted.
        validation: Errors over what was held out.
        by_agent: The same for every agent.
        noise: Deviation of the odometry alone, as its roughness shows it, xy and z [m/s].
        curves: What was held out.
        problems: One line for everything doubtful.
    """

    estimates: Mapping[str, Estimate]
    agents: tuple[str, ...]
    update_rate: float
    until: float
    used: float
    fitted: Errors
    validation: Errors
    by_agent: Mapping[str, Errors]
    noise: tuple[float, float]
    curves: tuple[Curve, ...]
    problems: tuple[str, ...]
