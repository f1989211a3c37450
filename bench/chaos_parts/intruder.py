"""Who does not belong to the swarm: ``intruder.py malformed|forged|storm SEED SECONDS WORD...``.

``malformed AGENT...`` sends on every topic what must be refused, ``forged AGENT`` lies in an
agent's name, ``storm NUMBER`` joins with many participants.
"""

import itertools
import math
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import rclpy
from chaos_parts.plant import HOSTILE_MARK
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.context import Context
from rclpy.node import Node
from sensor_msgs.msg import JointState

from support.ros import malformed
from velocity_mobility_ros.ros_io.endpoints import COMMAND, LATCHED, STATE

RATE = 400.0
"""Messages per second."""

FAR_FUTURE = 2**31 - 1


def spoil(draw: random.Random, message: Any) -> Any:
    """Return a message with something for which it must be refused."""
    if draw.random() < 0.5:
        message.header.stamp.sec = FAR_FUTURE
    elif isinstance(message, JointState):
        message.position = [math.nan, *message.position[1:]]
        message.name = message.name or ['uav_1/x']
    else:
        message.pose.pose.position.x = math.inf
    return message


def spoilt(draw: random.Random, messages: Iterator[Any]) -> Iterator[Any]:
    """Yield messages that must be refused."""
    return (spoil(draw, message) for message in messages)


def spoilt_commands(draw: random.Random) -> Iterator[Twist]:
    """Yield commands that are not finite, marked as those of nobody."""
    for message in malformed.commands(draw):
        message.linear.x = draw.choice((math.nan, math.inf))
        message.angular.x = HOSTILE_MARK
        yield message


def spoilt_stops(draw: random.Random) -> Iterator[DiagnosticArray]:
    """Yield orders to stop that are none."""
    words = ('', 'nan', 'stop!', '-1', '1e400', '\u2603', 'halt', 'uav_1')
    while True:
        pairs = {'kind': draw.choice(words), 'stamp_ns': draw.choice(words), 'member': 'uav_1'}
        values = [KeyValue(key=key, value=value) for key, value in pairs.items()]
        status = DiagnosticStatus(name='emergency stop', hardware_id='nobody', values=values)
        yield DiagnosticArray(status=[status] * draw.randrange(1, 4))


def send_malformed(node: Node, draw: random.Random, end: float, agents: list[str]) -> None:
    """Publish messages that must be refused, on every topic of a swarm."""
    states = spoilt(draw, malformed.states(draw))
    odometries = spoilt(draw, malformed.odometries(draw))
    members = [*agents, 'target']
    topics: list[tuple[type, str, Any, Iterator[Any]]] = [
        *((JointState, f'/swarm/{name}_state{plural}', STATE, states)
          for name, plural in (('agent', 's'), ('target', ''), ('adversary', ''))),
        *((JointState, f'/{name}/telemetry', STATE, states) for name in agents),
        *((Odometry, f'/{name}/odom', STATE, odometries) for name in members),
        *((Twist, f'/{name}/cmd_vel', COMMAND, spoilt_commands(draw)) for name in members),
        (DiagnosticArray, '/diagnostics', COMMAND, malformed.diagnostics(draw)),
        (DiagnosticArray, '/swarm/stop', LATCHED, spoilt_stops(draw)),
    ]  # fmt: skip
    sources = [(node.create_publisher(kind, topic, qos), source)
               for kind, topic, qos, source in topics]  # fmt: skip
    for publisher, source in itertools.cycle(sources):
        if time.monotonic() > end:
            return
        publisher.publish(next(source))
        time.sleep(1.0 / RATE)


def send_lies(node: Node, draw: random.Random, end: float, agents: list[str]) -> None:
    """Publish states of an agent that it is not in."""
    publisher = node.create_publisher(JointState, '/swarm/agent_states', STATE)
    (name,) = agents
    for seq in itertools.count(10**6):
        if time.monotonic() > end:
            return
        message = JointState(name=[f'{name}/{word}' for word in ('x', 'y', 'z', 'seq')])
        message.position = [draw.uniform(-30.0, 30.0), draw.uniform(-30.0, 30.0), 10.0, float(seq)]
        message.velocity = [draw.uniform(-5.0, 5.0), draw.uniform(-5.0, 5.0), 0.0, 0.0]
        message.header.frame_id = 'map'
        message.header.stamp = node.get_clock().now().to_msg()
        publisher.publish(message)
        time.sleep(0.05)


def storm(number: int, end: float) -> None:
    """Join with many participants; their process is killed in the end."""
    nodes = []
    for k in range(number):
        context = Context()
        rclpy.init(context=context)
        few = {'enable_rosout': False, 'start_parameter_services': False}
        nodes.append(Node(f'guest_{k}', context=context, **few))
        if time.monotonic() > end:
            break
    print(f'{len(nodes)} participants', flush=True)
    time.sleep(max(0.0, end - time.monotonic()))


def main() -> None:
    """Do what the command line says until it is time to end."""
    kind, seed, seconds, *words = sys.argv[1:]
    end = time.monotonic() + float(seconds)
    if kind == 'storm':
        storm(int(words[0]), end)
        return
    rclpy.init(args=[])
    send = {'malformed': send_malformed, 'forged': send_lies}[kind]
    send(Node('intruder'), random.Random(int(seed)), end, words)


if __name__ == '__main__':
    main()
