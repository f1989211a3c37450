"""The law `predictive` with the target as reported, and its acceleration by difference."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> predictive.Gains:
    """Return the gains of the law without its filter."""
    own = predictive.PREDICTIVE.gains(setup)
    tracking = own.flight.tracking._replace(is_filtered=False)
    return own._replace(flight=own.flight._replace(tracking=tracking))


LAW = predictive.PREDICTIVE._replace(gains=gains)
