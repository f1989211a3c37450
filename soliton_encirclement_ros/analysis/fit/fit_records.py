"""Settings, parameters and results of a fit, and these as a vehicle file and as JSON.

The solver uses logarithms of lags and limits, so that none becomes negative, and the delay itself.
A limit that is not in the model is infinite, a lag is NaN: neither has a number in the solver. The
values are those of the velocity model, the delay, and the lags of the acceleration of
``second_order``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.recording import Floats
from soliton_encirclement_ros.core.scenario.vehicle_file import VehicleFile
from velocity_mobility_ros.core.parameter_declaration import declarations
from velocity_mobility_ros.core.velocity_model import Limits, MobilityParameters
from velocity_mobility_ros.vehicles.second_order import NAME as SECOND_ORDER
from velocity_mobility_ros.vehicles.vehicle import parameters_of

FITTED_VEHICLES = (MobilityParameters.vehicle, SECOND_ORDER)
"""Types of vehicles that are fitted, the default first."""


class FitSettings(NamedTuple):
    """Settings of a fit; the defaults suit most recordings.

    Attributes:
        vehicle: Type of vehicle to fit, one of ``FITTED_VEHICLES``.
        update_rate: Time between two updates of the law [s].
        hold_out: Share at the end that is not fitted but predicted.
        longest_delay: Largest delay in the search [s].
        shortest_delay: Smallest delay in the search [s]; below zero if the clocks differ.
        silence: Time without commands that ends a stretch [s].
        odometry_gap: Time without odometry that ends a stretch [s].
        longest_stretch: Longest stretch [s]; longer ones are cut.
        most_updates: Most updates per evaluation; the most excited stretches are used.
    """

    vehicle: str = FITTED_VEHICLES[0]
    update_rate: float = MobilityParameters.update_rate
    hold_out: float = 0.3
    longest_delay: float = 0.5
    shortest_delay: float = -0.1
    silence: float = 0.5
    odometry_gap: float = 1.0
    longest_stretch: float = 20.0
    most_updates: int = 120_000


class ParameterEstimate(NamedTuple):
    """The estimate of one parameter.

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
    """Measured minus predicted velocity over all samples, horizontal and vertical [m/s].

    Root mean squares, and the ``usual`` deviations from the median, without effect of outliers.
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

    estimates: Mapping[str, ParameterEstimate]
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


NAMES = (
    'tau_xy', 'max_acc_xy', 'max_speed_xy', 'tau_z', 'max_acc_z', 'max_speed_z', 'delay',
    'acceleration_tau_xy', 'acceleration_tau_z',
)  # fmt: skip
UNITS = ('s', 'm/s^2', 'm/s', 's', 'm/s^2', 'm/s', 's', 's', 's')
DELAY = NAMES.index('delay')
LIMITS = tuple(i for i, name in enumerate(NAMES) if name.startswith('max_'))
TAUS = (NAMES.index('tau_xy'), NAMES.index('tau_z'))
ACCELERATION_TAUS = (DELAY + 1, DELAY + 2)
LAGS = (*TAUS, *ACCELERATION_TAUS)
VERTICAL = tuple(i for i, name in enumerate(NAMES) if name.endswith('_z'))


def fitted_indices(vehicle: str) -> list[int]:
    """Return the indices of the values of a type; lags of the acceleration replace a delay."""
    is_second_order = vehicle == SECOND_ORDER
    left_out = (DELAY,) if is_second_order else ACCELERATION_TAUS
    return [i for i in range(len(NAMES)) if i not in left_out]


def limits_of(values: Floats) -> Limits:
    """Return the limits of the mobility law from the values."""
    tau_xy, acc_xy, speed_xy, tau_z, acc_z, speed_z = values[:DELAY].tolist()
    return speed_xy, speed_z, acc_xy, acc_z, tau_xy, tau_z


def with_acceleration_lags(values: Floats, shortest: float) -> Floats:
    """Return start values of ``second_order`` from those of the velocity model with a delay.

    The delay becomes the lag of the acceleration, at least the shortest [s], up to a quarter of
    both together.
    """
    result, delay = values.copy(), max(float(values[DELAY]), 0.0)
    sums = values[list(TAUS)] + delay
    lags = np.maximum(np.minimum(delay, 0.25 * sums), shortest)
    result[list(ACCELERATION_TAUS)] = lags
    result[list(TAUS)] = np.maximum(sums - lags, shortest)
    result[DELAY] = 0.0
    return result


def to_solver(values: Floats) -> Floats:
    """Return the solver's numbers for the values."""
    numbers = np.array(values, float)
    logged = np.arange(len(numbers)) != DELAY
    numbers[logged] = np.log(numbers[logged])
    return numbers


def to_values(numbers: Floats) -> Floats:
    """Return the values for the solver's numbers."""
    return np.where(np.arange(len(numbers)) == DELAY, numbers, np.exp(numbers))


DIGITS = 5


def vehicle_of(fit: Fit, name: str, source: str, clock: str) -> VehicleFile:
    """Return the vehicle: the known parameters, and in ``fitted`` their quality and source.

    The source is the path of the recording.
    """
    known = {key: estimate for key, estimate in fit.estimates.items() if estimate.known}
    names = [key for key in declarations(parameters_of(fit.vehicle)) if key in known]
    mobility = {} if fit.vehicle == MobilityParameters.vehicle else {'vehicle': fit.vehicle}
    mobility |= {key: _round(known[key].value) for key in names}
    fitted: dict[str, Any] = {
        'source': source,
        'agents': list(fit.agents),
        'clock': clock,
        'used_s': _round(fit.used),
        'fitted_until_s': _round(fit.until),
        'update_rate': fit.update_rate,
    }
    if 'delay' in known:
        fitted['delay_s'] = _round(known['delay'].value)
    fitted['intervals_95'] = {
        key: [_round(estimate.low), _round(estimate.high)]
        for key, estimate in known.items()
        if estimate.low is not None
    }
    fitted['residuals'] = {
        'fitted': _errors(fit.fitted),
        'predicted': _errors(fit.validation),
        'odometry_alone': dict(zip(('xy', 'z'), map(_round, fit.noise), strict=True)),
    }
    fitted['not_identifiable'] = {
        key: estimate.reason for key, estimate in fit.estimates.items() if not estimate.known
    }
    remarks = [
        f'{estimate.name}: {estimate.reason}' for estimate in known.values() if estimate.reason
    ]
    fitted['notes'] = [*remarks, *fit.problems]
    return VehicleFile(name, mobility, fitted)


def as_json(fit: Fit) -> dict[str, Any]:
    """Return the result without its curves, for JSON: plain types, no NaN."""
    return {
        'parameters': {name: estimate._asdict() for name, estimate in fit.estimates.items()},
        'agents': list(fit.agents),
        'update_rate': fit.update_rate,
        'fitted_until_s': fit.until,
        'used_s': fit.used,
        'rms_m_per_s': {
            'fitted': fit.fitted._asdict(),
            'predicted': fit.validation._asdict(),
            'odometry_alone': dict(zip(('xy', 'z'), fit.noise, strict=True)),
            'predicted_by_agent': {
                name: agent_errors._asdict() for name, agent_errors in fit.by_agent.items()
            },
        },
        'problems': list(fit.problems),
    }


def _errors(errors: Errors) -> dict[str, float | None]:
    return {'xy': _round(errors.xy), 'z': _round(errors.z)}


def _round(value: float | None) -> float | None:
    return None if value is None else float(f'{round(value, 6):.{DIGITS}g}') + 0.0
