"""Converts a fit to a vehicle file and to JSON."""

from typing import Any

from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.core.parameters import declarations
from velocity_mobility_ros.vehicles import parameters_of

from soliton_encirclement_ros.analysis.fit.fit_records import Errors, Fit
from soliton_encirclement_ros.core.scenario.vehicle_file import VehicleFile

DIGITS = 5
"""Significant digits in the vehicle file."""


def vehicle_of(fit: Fit, name: str, source: str, clock: str) -> VehicleFile:
    """Return the vehicle: the known parameters, and in ``fitted`` their quality and source.

    Args:
        fit: Result of the fit.
        name: Name of the vehicle.
        source: Path of the recording.
        clock: Clock of the recording.
    """
    known = {key: one for key, one in fit.estimates.items() if one.known}
    names = [key for key in declarations(parameters_of(fit.vehicle)) if key in known]
    mobility = {} if fit.vehicle == MobilityParameters.vehicle else {'vehicle': fit.vehicle}
    mobility |= {key: _rounded(known[key].value) for key in names}
    fitted: dict[str, Any] = {
        'source': source,
        'agents': list(fit.agents),
        'clock': clock,
        'used_s': _rounded(fit.used),
        'fitted_until_s': _rounded(fit.until),
        'update_rate': fit.update_rate,
    }
    if 'delay' in known:
        fitted['delay_s'] = _rounded(known['delay'].value)
    fitted['intervals_95'] = {
        key: [_rounded(one.low), _rounded(one.high)]
        for key, one in known.items()
        if one.low is not None
    }
    fitted['residuals'] = {
        'fitted': _errors(fit.fitted),
        'predicted': _errors(fit.validation),
        'odometry_alone': dict(zip(('xy', 'z'), map(_rounded, fit.noise), strict=True)),
    }
    fitted['not_identifiable'] = {
        key: one.reason for key, one in fit.estimates.items() if not one.known
    }
    remarks = [f'{one.name}: {one.reason}' for one in known.values() if one.reason]
    fitted['notes'] = [*remarks, *fit.problems]
    return VehicleFile(name, mobility, fitted)


def as_json(fit: Fit) -> dict[str, Any]:
    """Return the result without its curves, for JSON: plain types, no NaN."""
    return {
        'parameters': {name: one._asdict() for name, one in fit.estimates.items()},
        'agents': list(fit.agents),
        'update_rate': fit.update_rate,
        'fitted_until_s': fit.until,
        'used_s': fit.used,
        'rms_m_per_s': {
            'fitted': fit.fitted._asdict(),
            'predicted': fit.validation._asdict(),
            'odometry_alone': dict(zip(('xy', 'z'), fit.noise, strict=True)),
            'predicted_by_agent': {name: one._asdict() for name, one in fit.by_agent.items()},
        },
        'problems': list(fit.problems),
    }


def _errors(errors: Errors) -> dict[str, float | None]:
    return {'xy': _rounded(errors.xy), 'z': _rounded(errors.z)}


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f'{round(value, 6):.{DIGITS}g}') + 0.0
