"""What lies between a vehicle and those who fly it: its estimator and its autopilot; no ROS."""

from velocity_mobility_ros.sensing.sensor import (
    AT_REST,
    Reading,
    SensorMeans,
    SensorState,
    sensed,
    sensor_means,
)

__all__ = [
    'AT_REST',
    'Reading',
    'SensorMeans',
    'SensorState',
    'sensed',
    'sensor_means',
]
