"""A bridge as the operator sees it, without an autopilot: states that follow each other."""

import math
import sys
import time

import rclpy
from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry

from support.fly.reports import READY
from velocity_mobility_ros.autopilot.autopilot_requests import Intent
from velocity_mobility_ros.autopilot.engage.engage_records import Outputs, Request, State
from velocity_mobility_ros.nodes.autopilot.bridge_node import BridgeFleet
from velocity_mobility_ros.ros_io.endpoints import COMMAND, STATE
from velocity_mobility_ros.ros_io.polling import PollingNode

NORTH = math.sqrt(0.5), math.sqrt(0.5)
PERIOD = 0.1
"""Time in a state that another one follows [s]."""

FOLLOWS = {
    'PRECHECK': 'SET_OFFBOARD',
    'SET_OFFBOARD': 'ARMING',
    'TAKE_OFF': 'HOLD',
    'BRAKE': 'HOLD',
    'LANDING': 'READY',
    'KILLING': 'FAULT',
}
BEGINS = {
    'arm_takeoff': ('READY', 'PRECHECK'),
    'engage': ('HOLD', 'TRACK'),
    'hold': ('TRACK', 'BRAKE'),
    'land': (None, 'LANDING'),
    'rtl': (None, 'LANDING'),
    'disarm': (None, 'READY'),
    'kill': (None, 'KILLING'),
    'reset': ('FAULT', 'READY'),
}
GROUNDED = ('READY', 'PRECHECK', 'SET_OFFBOARD', 'ARMING', 'WAIT_LINK')


class PlayedBridge(PollingNode):
    """One vehicle.

    Attributes:
        values: What it reports, but for the state; can be changed at any time.
        refuses: Answers to orders that it refuses, by name.
        begins: In which states orders are obeyed, and what follows.
        goes_wrong: States that another one follows than usual.
        called: What it was asked for, in order.
        north: Speed to the north [m/s]; its twist is then in map, and it looks north.
    """

    def __init__(self, name, fleet='', stated='', **values):
        super().__init__('bridge', namespace=f'{fleet}/{name}')
        self.values = {**READY, **values}
        self.refuses, self.goes_wrong, self.called = {}, {}, []
        self.begins = {**BEGINS}
        self.north, self._way = 0.0, 0.0
        self.state, self.armed, self.is_silent, self.commanded = 'READY', False, False, 0.0
        self._since = self._reported = self._commanded = self._now()
        self._will_fall = self._agrees = False
        self.name = name
        self._fleet = BridgeFleet(self, stated, self._asked, self._refuse)
        self._odom = self.create_publisher(Odometry, 'odom', STATE)
        self.create_subscription(Twist, 'cmd_vel', self._on_command, COMMAND)
        self.create_timer(0.05, self._tick)
        self.report()

    def _refuse(self, topic, reason):
        raise AssertionError(f'{topic}: {reason}')

    def _now(self):
        return self.get_clock().now().nanoseconds * 1e-9

    def _on_command(self, message):
        self._commanded = self._now()
        self.commanded = abs(message.linear.x) + abs(message.linear.y) + abs(message.linear.z)

    def _tick(self):
        odometry = Odometry(child_frame_id=f'{self.name}/base_link')
        odometry.header.frame_id = 'map'
        odometry.header.stamp = self.get_clock().now().to_msg()
        odometry.pose.pose.orientation.z, odometry.pose.pose.orientation.w = NORTH
        odometry.pose.pose.position.x = float(self.values['x'])
        self._way += 0.05 * self.north
        odometry.pose.pose.position.y = float(self.values['y']) + self._way
        odometry.twist.twist.linear.y = self.north
        self._odom.publish(odometry)
        after = self.goes_wrong.get(self.state, FOLLOWS.get(self.state))
        if after and self._now() - self._since > PERIOD:
            self.go(after)
        elif self._now() - self._reported > 0.4:
            self.report()

    def go(self, state):
        """Change the state."""
        self._agrees = state == 'ARMING'
        self.state, self._since = state, self._now()
        self.armed = state not in (*GROUNDED, 'FAULT')
        self._fleet.member.armed(self.armed, time.monotonic())
        self.report()

    def report(self):
        """Say what it does."""
        if self.is_silent:
            return
        self._reported = self._now()
        values = {**self.values, 'state': self.state, 'armed': str(self.armed).lower()}
        values['landed'] = str(not self.armed).lower()
        values['command_age_s'] = f'{self._now() - self._commanded:.2f}'
        values['agrees'] = str(self._agrees).lower()
        if self.state != 'READY':
            values['ready'] = 'false'
        values |= self._fleet.values()
        self._fleet.publisher.publish(DiagnosticStatus(
            name='autopilot bridge', hardware_id=self.get_namespace(),
            message=f'in {self.state}',
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        ))  # fmt: skip

    def _asked(self, request, operator):
        self.called.append(request.value)
        fault = self._fault(request)
        if not fault:
            self._obey(request, operator)
        self._reported = 0.0
        state = State[self.state]
        return Outputs(state, fault or 'as asked', Intent.SILENT, None, None, bool(fault))

    def _fault(self, request):
        """Return why it refuses, empty if it obeys."""
        if request.value in self.refuses:
            return self.refuses[request.value]
        if request is Request.GO:
            return '' if self._agrees else f'not in {self.state}'
        if request is Request.CANCEL:
            return '' if self.state in GROUNDED[1:] else 'no take-off to end'
        if request is Request.KILL and not self._will_fall:
            self._will_fall = True
            return 'the vehicle will fall: repeat'
        needed = self.begins[request.value][0]
        if needed is None and not self.armed:
            return 'the vehicle is not armed'
        if request is Request.ENGAGE and self.state == 'TRACK':
            return ''
        holds = request is Request.HOLD and self.state in ('HOLD', 'TAKE_OFF', 'BRAKE')
        return '' if needed in (None, self.state) or holds else f'not in {self.state}'

    def _obey(self, request, operator):
        if request is Request.GO:
            self.go('TAKE_OFF')
        elif request is Request.CANCEL:
            self.go('READY')
        elif request is Request.HOLD and self.state in ('HOLD', 'TAKE_OFF'):
            self.go('HOLD')
        else:
            assert operator.together or request is not Request.TAKE_OFF
            self.go(self.begins[request.value][1])


def main(name, stated, state):
    """Play one vehicle in this process, which can be suspended."""
    rclpy.init()
    bridge = PlayedBridge(name, '', stated, x='24.0', y='0.0', z='0.0')
    bridge.go(state)
    print('plays', flush=True)
    rclpy.spin(bridge)


if __name__ == '__main__':
    main(*sys.argv[1:])
