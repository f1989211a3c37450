"""How well a vehicle knows its own motion, and how late it is commanded; all off by default."""

from dataclasses import dataclass

from velocity_mobility_ros.core.parameters import Parameters, parameter

LARGEST_DELAY = 10.0
"""Longest latency [s]."""


@dataclass(frozen=True)
class SensingParameters(Parameters):
    """The odometry of a vehicle as its estimator gives it, and the way of a command to it.

    Noise is white from message to message, drift a first-order Gauss-Markov process, as the errors
    of satellite navigation wander. All deviations are standard deviations of one axis.
    """

    position_noise_xy: float = parameter(
        0.0, 'horizontal noise of the position', unit='m', minimum=0.0
    )
    position_noise_z: float = parameter(
        0.0, 'vertical noise of the position', unit='m', minimum=0.0
    )
    velocity_noise_xy: float = parameter(
        0.0, 'horizontal noise of the velocity', unit='m/s', minimum=0.0
    )
    velocity_noise_z: float = parameter(
        0.0, 'vertical noise of the velocity', unit='m/s', minimum=0.0
    )
    position_drift_xy: float = parameter(
        0.0, 'horizontal drift of the position', unit='m', minimum=0.0
    )
    position_drift_z: float = parameter(
        0.0, 'vertical drift of the position', unit='m', minimum=0.0
    )
    drift_time: float = parameter(60.0, 'correlation time of the drift', unit='s', above=0.0)
    odom_period: float | None = parameter(
        None, 'time between two measurements; none: one per control period', unit='s', above=0.0
    )
    odom_latency: float = parameter(
        0.0, 'age of a measurement when it arrives', unit='s', minimum=0.0, maximum=LARGEST_DELAY
    )
    dropouts_per_min: float = parameter(
        0.0, 'mean number of dropouts of the odometry', unit='1/min', minimum=0.0
    )
    dropout_time: float = parameter(
        1.0, 'time without a measurement after a dropout', unit='s', minimum=0.0
    )
    command_latency: float = parameter(
        0.0, 'time until a command takes effect', unit='s', minimum=0.0, maximum=LARGEST_DELAY
    )

    @property
    def is_perfect(self) -> bool:
        """Whether everything is measured exactly and at once, and commands act at once."""
        return not (self.is_delayed or self.is_noisy)

    @property
    def is_delayed(self) -> bool:
        """Whether anything comes late or is missing."""
        return self.odom_period is not None or any(
            (self.odom_latency, self.dropouts_per_min, self.command_latency)
        )

    @property
    def is_noisy(self) -> bool:
        """Whether any measurement is wrong."""
        return any(
            (
                self.position_noise_xy, self.position_noise_z, self.velocity_noise_xy,
                self.velocity_noise_z, self.position_drift_xy, self.position_drift_z,
            )
        )  # fmt: skip
