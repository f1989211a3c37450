"""The law `predictive` closing large errors in proportion, as if it could brake at once."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.controllers.soliton import SolitonLawGains
from soliton_encirclement_ros.core.laws.law import Setup

AT_ONCE = 1e6
"""Assumed braking [m/s^2]."""


def gains(setup: Setup) -> SolitonLawGains:
    """Return the gains of the law with a braking that no vehicle has."""
    own = predictive.PREDICTIVE.gains(setup)
    law = own.pursuit.encirclement._replace(approach=AT_ONCE, spacing=AT_ONCE)
    return own._replace(pursuit=own.pursuit._replace(encirclement=law))


LAW = predictive.PREDICTIVE._replace(gains=gains)
