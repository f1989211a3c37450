"""The law `predictive` with the target as reported, and its acceleration by difference."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.controllers.soliton import SolitonLawGains
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> SolitonLawGains:
    """Return the gains of the law without its filter."""
    own = predictive.PREDICTIVE.gains(setup)
    return own._replace(tracking=own.tracking._replace(is_filtered=False))


LAW = predictive.PREDICTIVE._replace(gains=gains)
