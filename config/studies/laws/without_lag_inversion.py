"""The law `soliton` as for a vehicle without lag: it commands the velocity that it wants."""

from dataclasses import replace

from soliton_encirclement_ros.controllers import soliton
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> soliton.SolitonLawGains:
    """Return the gains for a vehicle without lag."""
    return soliton.SOLITON.gains(setup._replace(limits=replace(setup.limits, tau_xy=None)))


LAW = soliton.SOLITON._replace(gains=gains)
