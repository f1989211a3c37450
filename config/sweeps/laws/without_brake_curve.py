"""The law `predictive` closing large errors in proportion, as if it could brake at once."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.core.laws.law import Setup

AT_ONCE = 1e6
"""Assumed braking [m/s^2]."""


def gains(setup: Setup) -> predictive.Gains:
    """Return the gains of the law with a braking that no vehicle has."""
    own = predictive.PREDICTIVE.gains(setup)
    pursuit = own.flight.pursuit
    law = pursuit.encirclement._replace(approach=AT_ONCE, spacing=AT_ONCE)
    pursuit = pursuit._replace(encirclement=law)
    return own._replace(flight=own.flight._replace(pursuit=pursuit))


LAW = predictive.PREDICTIVE._replace(gains=gains)
