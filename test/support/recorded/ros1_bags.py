"""Writes bags of ROS 1, by the library that reads them."""

from pathlib import Path

import numpy as np
from rosbags.rosbag1 import Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from soliton_encirclement_ros.analysis.recording import Member

ODOMETRY = 'nav_msgs/msg/Odometry'
OWN = 'own_msgs/msg/Own'

BEGIN = 1_600_000_000
"""When bags begin [s]."""


def write_ros1_bag(
    path: Path, member: Member, compression: Writer.CompressionFormat | None = None
) -> Path:
    """Write the odometry of a vehicle, beside messages of a type of its own.

    Args:
        path: The file.
        member: The vehicle.
        compression: Of the chunks; None for none.
    """
    store = get_typestore(Stores.ROS1_NOETIC)
    store.register(get_types_from_msg('std_msgs/Header header\nfloat64 x\n', OWN))
    kinds = {name.rpartition('/')[2]: kind for name, kind in store.types.items()}
    kinds['Time'] = store.types['builtin_interfaces/msg/Time']
    still = kinds['Vector3'](0.0, 0.0, 0.0)
    level, zeros = kinds['Quaternion'](0.0, 0.0, 0.0, 1.0), np.zeros(36)
    writer = Writer(path)
    if compression is not None:
        writer.set_compression(compression)
    with writer:
        odom = writer.add_connection('/uav_1/odom', ODOMETRY, typestore=store)
        own = writer.add_connection('/uav_1/own', OWN, typestore=store)
        for seq, (time, place, speed, _) in enumerate(zip(*member.track, strict=True)):
            time_ns = round((BEGIN + time) * 1e9)
            header = kinds['Header'](seq, kinds['Time'](*divmod(time_ns, 10**9)), 'map')
            pose = kinds['Pose'](kinds['Point'](*place), level)
            twist = kinds['Twist'](kinds['Vector3'](*speed), still)
            message = kinds['Odometry'](header, 'map', kinds['PoseWithCovariance'](pose, zeros),
                                        kinds['TwistWithCovariance'](twist, zeros))  # fmt: skip
            writer.write(odom, time_ns, store.serialize_ros1(message, ODOMETRY))
            writer.write(own, time_ns, store.serialize_ros1(kinds['Own'](header, 1.0), OWN))
    return path
