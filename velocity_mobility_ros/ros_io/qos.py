"""Quality of service, one profile per class of topic.

States are published reliably: a subscriber with the defaults of ROS (RViz, nav2,
robot_localization) receives nothing from a best-effort publisher. States are subscribed best
effort: a reliable subscriber receives nothing from a best-effort driver. With keep_last a
publisher never waits for subscribers.
"""

from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy

STATE = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Published streams of measured or broadcast states."""

STATE_INPUT = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Subscribed streams of states: compatible with every publisher."""

POLLED_INPUT = QoSProfile(
    depth=500, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Streams of states that are taken once per tick: 50 agents at 50 Hz fill the queue in 0.2 s."""

COMMAND = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_LAST
)
"""Commands, events, diagnostics and other messages that must arrive."""

LATCHED = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
    history=HistoryPolicy.KEEP_LAST,
)
"""Messages published once, also for late subscribers."""

LOCKSTEP = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.RELIABLE, history=HistoryPolicy.KEEP_ALL
)
"""Lockstep: no message is dropped; a full queue blocks the publisher."""

COMMAND_INPUT = QoSProfile(
    depth=1, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""Subscribed commands of which only the newest counts."""

AUTOPILOT_STREAM = COMMAND_INPUT
"""Streams from and to an autopilot, of which only the newest message counts. PX4 offers best
effort alone: a reliable subscription gets nothing."""

AUTOPILOT_ANSWERS = QoSProfile(
    depth=10, reliability=ReliabilityPolicy.BEST_EFFORT, history=HistoryPolicy.KEEP_LAST
)
"""An autopilot's answers to requests, which are all read."""

AUTOPILOT_COMMAND = COMMAND
"""Requests to an autopilot."""
