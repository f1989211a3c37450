"""The stamp of a vehicle's odometry in the clock of this computer."""

from velocity_mobility_ros.autopilot.px4.sample_clock import SampleClock, stamped
from velocity_mobility_ros.autopilot.reports import VehicleOdometry

SAMPLE, ARRIVAL = 'sample', 'arrival'


class OdometryStamps:
    """Stamps of arrival, or those of the sample while they are believed."""

    def __init__(self, how: str) -> None:
        """Believe no stamp yet.

        Args:
            how: SAMPLE or ARRIVAL.
        """
        self._how, self._clock = how, SampleClock()

    @property
    def source(self) -> str:
        """Whose stamps are used, in words."""
        return 'of the vehicle' if self._clock.is_synchronised else 'of arrival'

    def stamp_ns(
        self, odometry: VehicleOdometry | None, now_ns: int, age_ns: int = 0
    ) -> int | None:
        """Return the stamp of an odometry, None if it is not to be believed [ns].

        Args:
            odometry: The last odometry.
            now_ns: Time of this computer [ns].
            age_ns: How long ago it arrived [ns].
        """
        if odometry is None or self._how == ARRIVAL:
            return now_ns - age_ns
        self._clock, stamp_ns = stamped(self._clock, odometry.sampled_us, now_ns)
        return stamp_ns
