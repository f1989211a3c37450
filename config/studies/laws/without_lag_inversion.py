"""The law `predictive` as for a vehicle without lag: it commands the velocity that it wants."""

from dataclasses import replace

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.controllers.soliton import SolitonLawGains
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> SolitonLawGains:
    """Return the gains for a vehicle without lag; its own motion is predicted with the lag."""
    without = setup._replace(limits=replace(setup.limits, tau_xy=None))
    own = predictive.PREDICTIVE.gains(setup)
    return predictive.PREDICTIVE.gains(without)._replace(tracking=own.tracking)


LAW = predictive.PREDICTIVE._replace(gains=gains)
