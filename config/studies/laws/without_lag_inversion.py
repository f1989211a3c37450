"""The law `predictive` as for a vehicle without lag: it commands the velocity that it wants."""

from dataclasses import replace

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.controllers.soliton import SolitonLawGains
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> SolitonLawGains:
    """Return the gains of the law with the command of a vehicle without lag."""
    without = setup._replace(limits=replace(setup.limits, tau_xy=None))
    own = predictive.PREDICTIVE.gains(setup)
    lag = predictive.PREDICTIVE.gains(without).pursuit.lag
    return own._replace(pursuit=own.pursuit._replace(lag=lag))


LAW = predictive.PREDICTIVE._replace(gains=gains)
