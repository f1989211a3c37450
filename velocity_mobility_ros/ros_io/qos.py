"""Quality of service, one profile per class of topic.

States are published reliably, since a subscriber with ROS's defaults (RViz, nav2,
robot_localization) hears no other publisher, and subscribed best effort, since a subscriber that
wants more does not hear a driver that offers less. Keeping the last few, a publisher waits for
nobody.
"""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

STATE = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Published streams of measured or broadcast states."""

STATE_INPUT = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Subscribed streams of states: only the newest counts, whatever its publisher offers."""

COMMAND = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Commands, events, diagnostics and everything that must arrive."""

LATCHED = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
    history=HistoryPolicy.KEEP_LAST,
)
"""Things said once that latecomers must know."""

LOCKSTEP = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_ALL
)
"""Lockstep: nothing is dropped; a full queue holds the sender up."""
