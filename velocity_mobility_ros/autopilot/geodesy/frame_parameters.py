"""Parameters of the swarm's frame, the same for all vehicles but for the last ones."""

from dataclasses import dataclass

from velocity_mobility_ros.autopilot.geodesy.swarm_origin import SwarmOrigin, check_origin
from velocity_mobility_ros.core.errors import ParameterError
from velocity_mobility_ros.core.parameters import Parameters, parameter

GNSS, STATIC, MOCAP = 'gnss', 'static', 'mocap'
AMSL, TAKEOFF_RELATIVE = 'amsl', 'takeoff_relative'


@dataclass(frozen=True)
class FrameParameters(Parameters):
    """How the local frame of a vehicle lies in the frame of the swarm."""

    origin_mode: str = parameter(
        GNSS, 'how vehicles know where they are among each other: by GNSS about one origin, by '
        'fixed starting places, or by a motion capture whose frame is that of the swarm',
        choices=(GNSS, STATIC, MOCAP),
    )  # fmt: skip
    origin_latitude: float = parameter(
        0.0, 'latitude of the origin of the swarm', unit='deg', minimum=-90.0, maximum=90.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    origin_longitude: float = parameter(
        0.0, 'its longitude', unit='deg', minimum=-180.0, maximum=180.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    origin_altitude: float = parameter(
        0.0, 'its altitude above mean sea level', unit='m', only_with={'origin_mode': GNSS}
    )
    max_origin_distance: float = parameter(
        10_000.0, 'distance from it beyond which a vehicle is refused', unit='m', above=0.0,
        only_with={'origin_mode': GNSS},
    )  # fmt: skip
    z_offset_mode: str = parameter(
        TAKEOFF_RELATIVE, 'heights: from the ground on which the vehicle stood, or by the '
        'altitude that its receiver reports, which differs by metres from vehicle to vehicle',
        choices=(TAKEOFF_RELATIVE, AMSL),
    )  # fmt: skip
    pad_height: float = parameter(
        0.0, 'height of that ground in the frame of the swarm', unit='m',
        only_with={'z_offset_mode': TAKEOFF_RELATIVE},
    )  # fmt: skip
    spawn_east: float = parameter(
        0.0, 'where the local frame of the vehicle has its origin', unit='m',
        only_with={'origin_mode': STATIC},
    )  # fmt: skip
    spawn_north: float = parameter(0.0, 'the same', unit='m', only_with={'origin_mode': STATIC})
    spawn_yaw: float = parameter(
        0.0, 'by how much it is turned counter-clockwise', unit='rad',
        only_with={'origin_mode': STATIC},
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Refuse a swarm by GNSS without an origin."""
        super().__post_init__()
        check_origin(self.origin)
        if self.origin_mode == GNSS and (self.origin_latitude, self.origin_longitude) == (0, 0):
            raise ParameterError(
                'origin_latitude and origin_longitude are not set; origin_mode = gnss needs the '
                'same origin for all vehicles, such as the place of the landing field'
            )

    @property
    def origin(self) -> SwarmOrigin:
        """The origin."""
        return SwarmOrigin(self.origin_latitude, self.origin_longitude, self.origin_altitude)
