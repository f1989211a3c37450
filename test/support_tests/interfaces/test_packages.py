"""The packages besides px4_msgs over real DDS: messages and services, nested ones included."""

import subprocess
import sys

from support.cli import environment
from support.interfaces.environment import environment_with
from support.ros.graph import domain

__all__ = ['domain']

PROGRAM = """
import rclpy
from ardupilot_msgs.msg import Status
from ardupilot_msgs.srv import ArmMotors, ModeSwitch, Takeoff
from geographic_msgs.msg import GeoPointStamped, GeoPoseStamped
from mavros_msgs.msg import ExtendedState, HomePosition, PositionTarget, State
from mavros_msgs.srv import CommandBool, CommandLong, CommandTOL, SetMode

rclpy.init()
node = rclpy.create_node('both_ends')
pose = GeoPoseStamped()
pose.pose.position.latitude = 47.25
home = HomePosition()
home.geo.altitude = 488.5
sent = [
    pose, home, GeoPointStamped(), Status(mode=4, failsafe=[Status.FS_GCS]),
    State(mode='OFFBOARD'), ExtendedState(landed_state=ExtendedState.LANDED_STATE_IN_AIR),
    PositionTarget(type_mask=PositionTarget.IGNORE_PX | PositionTarget.FORCE),
]
heard = {}
pairs = []
for message in sent:
    kind, topic = type(message), type(message).__name__.lower()
    hear = lambda found, topic=topic: heard.__setitem__(topic, found)
    node.create_subscription(kind, topic, hear, 1)
    pairs.append((node.create_publisher(kind, topic, 1), message, topic))

def serve(request, response):
    response.mode_sent = request.custom_mode == 'GUIDED'
    return response

node.create_service(SetMode, 'set_mode', serve)
client = node.create_client(SetMode, 'set_mode')
future = None
while len(heard) < len(sent) or not future or not future.done():
    if future is None and client.service_is_ready():
        future = client.call_async(SetMode.Request(custom_mode='GUIDED'))
    for publisher, message, topic in pairs:
        publisher.publish(message)
    for _ in range(10):
        rclpy.spin_once(node, timeout_sec=0.01)
assert all(heard[topic] == message for _, message, topic in pairs), heard
assert future.result().mode_sent
for kind in ArmMotors, ModeSwitch, Takeoff, CommandBool, CommandLong, CommandTOL:
    node.create_service(kind, kind.__name__, serve)
print('all heard')
rclpy.try_shutdown()
"""


def test_messages_and_services_over_dds(domain):
    needed = 'mavros_msgs', 'ardupilot_msgs', 'geographic_msgs'
    ran = subprocess.run(
        (sys.executable, '-c', PROGRAM), env=environment_with(environment(domain), *needed),
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ('all heard\n', '')
