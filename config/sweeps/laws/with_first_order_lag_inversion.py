"""The law `predictive` with the command v + tau a, right at the moment it is sent."""

from soliton_encirclement_ros.controllers import predictive
from soliton_encirclement_ros.controllers.lag_inversion import lag_inversion
from soliton_encirclement_ros.core.laws.law import Setup
from soliton_encirclement_ros.core.laws.law_making import own_values
from soliton_encirclement_ros.core.stability.gain_bound import LARGEST_FILTER_SHARE


def gains(setup: Setup) -> predictive.Gains:
    """Return the gains of the law with the other inversion and the same filter."""
    own, limits = predictive.PREDICTIVE.gains(setup), setup.limits
    longest = own_values(predictive.PREDICTIVE.parameters, setup.control)['acc_filter']
    lag = lag_inversion(
        False, limits.tau_xy, limits.max_acc_xy, setup.swarm.control_period,
        LARGEST_FILTER_SHARE, longest,
    )  # fmt: skip
    pursuit = own.flight.pursuit._replace(lag=lag)
    return own._replace(flight=own.flight._replace(pursuit=pursuit))


LAW = predictive.PREDICTIVE._replace(gains=gains)
