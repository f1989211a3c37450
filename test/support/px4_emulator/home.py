"""Home: where it was armed."""

from typing import NamedTuple

from support.px4_emulator.estimate.estimator import Estimate
from velocity_mobility_ros.core.model import Vector


class Home(NamedTuple):
    """Home in the local frame [m, NED], on Earth [deg, m], its heading [rad], how often set."""

    local: Vector
    place: Vector
    heading: float
    count: int

    def shifted(self, xy: tuple[float, float], z: float) -> 'Home':
        """Return it after a jump of the estimate."""
        x, y, down = self.local
        return self._replace(local=(x + xy[0], y + xy[1], down + z))


def home_at(estimate: Estimate, count: int) -> Home:
    """Return home at the estimated place."""
    place = estimate.latitude, estimate.longitude, estimate.altitude
    return Home(estimate.position, place, estimate.heading, count)
