"""Physics steps of a vehicle that makes several in one update."""

from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.shown import shown
from velocity_mobility_ros.core.time import whole_ratio


def physics_steps(update_rate: float, sim_dt: float) -> int:
    """Return the number of physics steps of ``sim_dt`` [s] in an update of ``update_rate`` [s].

    Raises:
        ParameterError: It is no whole number.
    """
    steps = whole_ratio(update_rate, sim_dt)
    if steps is None:
        raise ParameterError(
            f'sim_dt = {shown(sim_dt)} s must be update_rate = {shown(update_rate)} '
            f's divided by a whole number'
        )
    return steps
