"""Parameters of the rotor-level quadrotor."""

from dataclasses import dataclass

from velocity_mobility_ros.core.model import FIXED_VEHICLE, MobilityParameters
from velocity_mobility_ros.core.parameters import parameter
from velocity_mobility_ros.vehicles.physics_steps import physics_steps
from velocity_mobility_ros.vehicles.quadrotor.airframe_parameters import AirframeParameters
from velocity_mobility_ros.vehicles.quadrotor.checks import (
    check_airframe,
    check_descent,
)
from velocity_mobility_ros.vehicles.quadrotor.gain_parameters import GainParameters
from velocity_mobility_ros.vehicles.wind import WindParameters

NAME = 'quadrotor'


@dataclass(frozen=True)
class QuadrotorParameters(AirframeParameters, GainParameters, WindParameters, MobilityParameters):
    """All of a quadrotor; ``update_rate`` is the step of its velocity controller.

    ``tau_xy`` and ``tau_z`` do not act: they say which lag the velocity model needs to move like
    this vehicle, for those who plan with it.
    """

    vehicle: str = parameter(NAME, 'type of the vehicle', choices=(NAME,), fixed=FIXED_VEHICLE)
    max_speed_z: float = parameter(
        3.0, 'largest vertical speed', unit='m/s', minimum=0.0, runtime=True
    )
    max_speed_down: float | None = parameter(
        None, 'largest speed of descent; none: max_speed_z', unit='m/s', minimum=0.0, runtime=True
    )
    max_acc_xy: float = parameter(
        6.0, 'largest horizontal acceleration (norm)', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_z: float = parameter(
        4.0, 'largest vertical acceleration', unit='m/s^2', minimum=0.0, runtime=True
    )
    max_acc_down: float | None = parameter(
        None, 'largest downward acceleration; none: max_acc_z', unit='m/s^2', minimum=0.0,
        runtime=True,
    )  # fmt: skip
    tau_xy: float | None = parameter(
        0.51, 'horizontal lag of the velocity model of this vehicle', unit='s', above=0.0,
        runtime=True,
    )  # fmt: skip
    tau_z: float | None = parameter(
        0.4, 'vertical lag of the velocity model of this vehicle', unit='s', above=0.0,
        runtime=True,
    )  # fmt: skip
    max_yaw_rate: float = parameter(
        2.0, 'largest yaw rate', unit='rad/s', minimum=0.0, runtime=True
    )
    sim_dt: float = parameter(
        0.002, 'step of rotors and body; update_rate is a whole multiple', unit='s', minimum=1e-5,
        maximum=0.02,
    )  # fmt: skip
    ground: float | None = parameter(
        None, 'height of a flat ground; none: there is none', unit='m'
    )

    def __post_init__(self) -> None:
        """Validate every field, and what they are together."""
        super().__post_init__()
        check_airframe(self)
        physics_steps(self.update_rate, self.sim_dt)
        name = 'max_acc_z' if self.max_acc_down is None else 'max_acc_down'
        check_descent(name, getattr(self, name), self.gravity)

    @property
    def response_delay(self) -> float:
        """Time [s] until it has tilted: the time constants of attitude, rates and rotors."""
        return 1.0 / self.attitude_gain_xy + 1.0 / self.rate_gain_xy + self.motor_fall

    @property
    def descent_speed(self) -> float:
        """The largest speed of descent [m/s]."""
        return self.max_speed_z if self.max_speed_down is None else self.max_speed_down

    @property
    def descent_acceleration(self) -> float:
        """The largest downward acceleration [m/s^2]."""
        return self.max_acc_z if self.max_acc_down is None else self.max_acc_down
