"""The law `predictive` closing large errors in proportion, as if it could brake at once."""

from soliton_encirclement_ros.controllers import soliton
from soliton_encirclement_ros.core.laws.law import Setup

AT_ONCE = 1e6
"""Assumed braking [m/s^2]."""


def gains(setup: Setup) -> soliton.SolitonGains:
    """Return the gains of the law with a braking that no vehicle has."""
    own = soliton.PREDICTIVE.gains(setup)
    pursuit = own.pursuit
    law = pursuit.encirclement._replace(approach=AT_ONCE, spacing=AT_ONCE)
    pursuit = pursuit._replace(encirclement=law)
    return own._replace(pursuit=pursuit)


LAW = soliton.PREDICTIVE._replace(gains=gains)
