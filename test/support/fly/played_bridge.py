"""A bridge as the operator sees it, without an autopilot: states that follow each other."""

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.task import Future
from std_srvs.srv import Trigger
from support.fly.reports import READY
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED, STATE

PERIOD = 0.1
"""Time in a state that another one follows [s]."""

FOLLOWS = {
    'PRECHECK': 'SET_OFFBOARD',
    'SET_OFFBOARD': 'ARMING',
    'ARMING': 'TAKE_OFF',
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
GROUNDED = ('READY', 'PRECHECK', 'SET_OFFBOARD', 'WAIT_LINK')


class PlayedBridge(Node):
    """One vehicle.

    Attributes:
        values: What it reports, but for the state; can be changed at any time.
        refuses: Answers of services that refuse.
        delays: How long services take to begin, by name [s]; meanwhile others are served.
        goes_wrong: States that another one follows than usual.
        called: Names of the services that were called, in order.
    """

    def __init__(self, name, fleet='', **values):
        super().__init__('bridge', namespace=f'{fleet}/{name}')
        self.values = {**READY, **values}
        self.refuses, self.goes_wrong, self.called = {}, {}, []
        self.delays, self._delayed = {}, []
        self.state, self.armed, self.is_silent, self.commanded = 'READY', False, False, 0.0
        self._since = self._reported = self._commanded = self._now()
        self._will_fall = False
        self.name = name
        self._voice = self.create_publisher(DiagnosticStatus, 'bridge_state', LATCHED)
        self._odom = self.create_publisher(Odometry, 'odom', STATE)
        self.create_subscription(Twist, 'cmd_vel', self._on_command, COMMAND)
        for service in BEGINS:
            self.create_service(Trigger, service, self._answers(service))
        self.create_timer(0.05, self._tick)
        self.report()

    def _now(self):
        return self.get_clock().now().nanoseconds * 1e-9

    def _on_command(self, message):
        self._commanded = self._now()
        self.commanded = abs(message.linear.x) + abs(message.linear.y) + abs(message.linear.z)

    def _tick(self):
        for due, future in self._delayed:
            if self._now() >= due and not future.done():
                future.set_result(None)
        odometry = Odometry(child_frame_id=f'{self.name}/base_link')
        odometry.header.frame_id = 'map'
        odometry.header.stamp = self.get_clock().now().to_msg()
        odometry.pose.pose.orientation.w = 1.0
        odometry.pose.pose.position.x = float(self.values['x'])
        odometry.pose.pose.position.y = float(self.values['y'])
        self._odom.publish(odometry)
        after = self.goes_wrong.get(self.state, FOLLOWS.get(self.state))
        if after and self._now() - self._since > PERIOD:
            self.go(after)
        elif self._now() - self._reported > 0.4:
            self.report()

    def go(self, state):
        """Change the state."""
        self.state, self._since = state, self._now()
        self.armed = state not in (*GROUNDED, 'FAULT')
        self.report()

    def report(self):
        """Say what it does."""
        if self.is_silent:
            return
        self._reported = self._now()
        values = {**self.values, 'state': self.state, 'armed': str(self.armed).lower()}
        values['landed'] = str(not self.armed).lower()
        values['command_age_s'] = f'{self._now() - self._commanded:.2f}'
        if self.state != 'READY':
            values['ready'] = 'false'
        self._voice.publish(DiagnosticStatus(
            name='autopilot bridge', hardware_id=f'/{self.name}', message=f'in {self.state}',
            values=[KeyValue(key=key, value=value) for key, value in values.items()],
        ))  # fmt: skip

    def _answers(self, service):
        async def answer(request, response):
            if service in self.delays:
                self._delayed.append((self._now() + self.delays[service], Future()))
                await self._delayed[-1][1]
            self.called.append(service)
            needed, begins = BEGINS[service]
            response.success = True
            if service in self.refuses:
                response.success, response.message = False, self.refuses[service]
            elif service == 'kill' and not self._will_fall:
                self._will_fall = True
                response.success, response.message = False, 'the vehicle will fall: repeat'
            elif needed is None and not self.armed:
                response.success, response.message = False, 'the vehicle is not armed'
            elif service == 'hold' and self.state in GROUNDED[1:]:
                self.go('READY')
            elif service == 'hold' and self.state in ('HOLD', 'TAKE_OFF'):
                self.go('HOLD')
            elif needed is not None and self.state != needed:
                response.success, response.message = False, f'not in {self.state}'
            else:
                self.go(begins)
            return response

        return answer
