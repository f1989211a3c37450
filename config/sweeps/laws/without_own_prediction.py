"""The law `predictive` with the own motion as measured, however late it and the commands are."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.core.laws.law import Setup


def gains(setup: Setup) -> predictive.Gains:
    """Return the gains of the law that takes its pose as it is."""
    own = predictive.PREDICTIVE.gains(setup)
    tracking = own.flight.tracking
    tracking = tracking._replace(own=tracking.own._replace(is_on=False))
    return own._replace(flight=own.flight._replace(tracking=tracking))


LAW = predictive.PREDICTIVE._replace(gains=gains)
