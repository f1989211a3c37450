"""The law `predictive` as for a vehicle without lag: it commands the velocity that it wants."""

from dataclasses import replace

from soliton_encirclement_ros.controllers import soliton
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> soliton.SolitonGains:
    """Return the gains of the law with the command of a vehicle without lag."""
    without = setup._replace(limits=replace(setup.limits, tau_xy=None))
    own = soliton.PREDICTIVE.gains(setup)
    lag = soliton.PREDICTIVE.gains(without).pursuit.lag
    pursuit = own.pursuit._replace(lag=lag)
    return own._replace(pursuit=pursuit)


LAW = soliton.PREDICTIVE._replace(gains=gains)
