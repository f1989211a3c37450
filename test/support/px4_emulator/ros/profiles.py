"""Quality of service of PX4's endpoints."""

from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

OUT = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.BEST_EFFORT,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)

IN = QoSProfile(
    depth=100, reliability=ReliabilityPolicy.BEST_EFFORT, durability=DurabilityPolicy.VOLATILE
)
"""Deeper than PX4's: what is sent while this process is late must be judged too."""
