"""The law `predictive` as for a vehicle without lag: it commands the velocity that it wants."""

from dataclasses import replace

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> predictive.Gains:
    """Return the gains of the law with the command of a vehicle without lag."""
    without = setup._replace(limits=replace(setup.limits, tau_xy=None))
    own = predictive.PREDICTIVE.gains(setup)
    lag = predictive.PREDICTIVE.gains(without).flight.pursuit.lag
    pursuit = own.flight.pursuit._replace(lag=lag)
    return own._replace(flight=own.flight._replace(pursuit=pursuit))


LAW = predictive.PREDICTIVE._replace(gains=gains)
