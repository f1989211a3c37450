"""Settings and results of a fit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import Parameters, parameter
from velocity_mobility_ros.vehicles.second_order import NAME as SECOND_ORDER

from soliton_encirclement_ros.analysis.recording import Floats

FITTED_VEHICLES = (MobilityParameters.vehicle, SECOND_ORDER)
"""Types of vehicles that are fitted, the default first."""


@dataclass(frozen=True)
class FitSettings(Parameters):
    """Settings of a fit; the defaults suit most recordings."""

    vehicle: str = parameter(FITTED_VEHICLES[0], 'type of vehicle to fit', choices=FITTED_VEHICLES)
    update_rate: float = parameter(
        MobilityParameters.update_rate, 'time between two updates of the law', unit='s',
        minimum=1e-4, maximum=1.0,
    )  # fmt: skip
    hold_out: float = parameter(
        0.3, 'share at the end that is not fitted but predicted', minimum=0.05, maximum=0.9
    )
    longest_delay: float = parameter(
        0.5, 'largest delay in the search', unit='s', minimum=0.01, maximum=5.0
    )
    shortest_delay: float = parameter(
        -0.1, 'smallest delay in the search; below zero if the clocks differ', unit='s',
        minimum=-1.0, maximum=0.0,
    )  # fmt: skip
    silence: float = parameter(
        0.5, 'time without commands that ends a stretch', unit='s', above=0.0
    )
    odometry_gap: float = parameter(
        1.0, 'time without odometry that ends a stretch', unit='s', above=0.0
    )
    longest_stretch: float = parameter(
        20.0, 'longest stretch; longer ones are cut', unit='s', minimum=2.0
    )
    most_updates: int = parameter(
        120_000, 'most updates per evaluation; the most excited stretches are used', minimum=1000,
        maximum=100_000_000,
    )  # fmt: skip


class Estimate(NamedTuple):
    """Estimate of one parameter.

    Attributes:
        name: As in ``MobilityParameters``, or ``delay``.
        unit: Unit of all three numbers.
        known: Whether the data identify it.
        value: Best value; None if unknown, or for a vehicle without lag.
        low: Lower end of the 95 % interval, None as the value.
        high: Upper end of the interval, None as the value.
        reason: Why it is unknown, or a remark; one line, may be empty.
    """

    name: str
    unit: str
    known: bool
    value: float | None
    low: float | None
    high: float | None
    reason: str


class Errors(NamedTuple):
    """Measured minus predicted velocity, over all components [m/s].

    Attributes:
        xy: Root mean square, horizontal.
        z: The same, vertical.
        usual_xy: Deviation from the median, without the effect of outliers.
        usual_z: The same, vertical.
        samples: Number of samples.
    """

    xy: float
    z: float
    usual_xy: float
    usual_z: float
    samples: int


class Curve(NamedTuple):
    """Prediction of a stretch: time (K,) [s], velocities (K, 3) [m/s]."""

    agent: str
    time: Floats
    measured: Floats
    predicted: Floats
    commanded: Floats


class Fit(NamedTuple):
    """Result of a fit.

    Attributes:
        estimates: By name, those of the mobility and, unless the type has a lag of the
            acceleration, ``delay``.
        agents: Names of the fitted agents.
        update_rate: Update period of the law that was fitted [s].
        until: Time up to which data were fitted [s]; later data were predicted.
        used: Length of all fitted stretches [s], over all agents.
        fitted: Errors over the fitted data.
        validation: Errors over the held-out data.
        by_agent: Errors over the held-out data by agent.
        noise: Noise of the odometry, xy and z [m/s].
        curves: Predictions of the held-out data.
        problems: Warnings, one line each.
        vehicle: Type of vehicle that was fitted.
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
    vehicle: str = MobilityParameters.vehicle
