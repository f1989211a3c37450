"""Velocity model of one body with limits and lag: commands in, odometry out."""

from velocity_mobility_ros.core.lazy_names import by_name, importing

__version__ = '0.1.0'

PLACES = by_name({
    'core.user_errors': ('MobilityError', 'ParameterError', 'StartupError'),
    'core.velocity_model': ('MobilityParameters', 'limit_velocity', 'next_velocity', 'step'),
    'core.coordinate_frames': (
        'Transform', 'frd_ned_to_flu_enu', 'frd_to_flu', 'ned_to_enu', 'ned_to_enu_yaw',
        'quaternion_from_yaw', 'wrap_pi', 'yaw_from_quaternion',
    ),
    'core.rate_limit': (
        'AsymmetricRate', 'FixedRate', 'RateLimiter', 'asymmetric_rate', 'fixed_rate',
        'free_decrease',
    ),
    'core.trajectory.path_files': ('PathError', 'read_path'),
    'core.trajectory.polyline': (
        'Polyline', 'arrival_time', 'distance_along', 'is_braking', 'polyline', 'remaining_time',
        'timed_index',
    ),
    'core.trajectory.polyline_follower': ('followed',),
    'core.trajectory.polyline_records': (
        'FINISHED', 'FollowSettings', 'PolylineError', 'SpeedLimits', 'start_state',
    ),
    'vehicles': ('VEHICLES', 'Body'),
    'vehicles.batched': ('BatchedVehicle',),
})  # fmt: skip
"""Module of every public name; it is imported on first use."""

__all__ = ['__version__', *PLACES]

__getattr__ = importing(__name__, PLACES)


def __dir__() -> list[str]:
    return sorted(__all__)
