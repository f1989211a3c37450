"""For tests of the bridge nodes: a bridge as a process, and its operator, who also commands."""

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from std_srvs.srv import Trigger
from support.autopilot.emulated_flight import PLACE
from support.autopilot.ros.process import autopilot_environment
from support.cli import NO_SHARED_MEMORY, Process
from support.ros.graph import Ros
from velocity_mobility_ros.ros_io.qos import COMMAND, LATCHED, STATE_INPUT

MODULE = 'velocity_mobility_ros.nodes.autopilot'
RUN = 'import sys; from {module}.{node} import main; sys.exit(main())'
ORIGIN = {
    'origin_latitude': PLACE[0], 'origin_longitude': PLACE[1], 'origin_altitude': PLACE[2]
}  # fmt: skip
STATED = {
    'px4_offboard_loss_action': 'hold', 'px4_rc_policy': 'no remote control',
    'ardupilot_failsafes': 'FS_GCS_ENABLE 5',
}  # fmt: skip
DEFAULTS = ORIGIN | STATED | {'publish_tf': False}
PERIOD = 0.05
STOOD_STILL = 'stood still'
ENDED = ('HOLD_REENTRY', 'EXTERNAL', 'READY')
"""States in which a take-off has ended before its height."""

ATTEMPTS = 3


def bridge(
    node: str, domain: int, folder: Path, namespace: str = '/uav_1', name: str = 'bridge',
    without_packages: bool = False, is_killed: bool = False, **parameters: Any,
) -> Process:  # fmt: skip
    """Start a bridge node.

    Args:
        node: Its name, such as ``ardupilot_bridge_node``.
        domain: ROS domain.
        folder: Where its output lands.
        namespace: Of the node.
        name: Of the files with its output.
        without_packages: Whether the autopilots' message packages are missing.
        is_killed: Whether it is killed; then it shares no memory with this process.
        parameters: On top of ``DEFAULTS``; None leaves one out.
    """
    given = {key: value for key, value in (DEFAULTS | parameters).items() if value is not None}
    told = [part for key, value in given.items() for part in ('-p', f'{key}:={_text(value)}')]
    variables = {} if without_packages else autopilot_environment(domain)
    variables = {key: value for key, value in variables.items() if key.endswith('PATH')}
    variables |= NO_SHARED_MEMORY if is_killed else {}
    return Process(
        ('env', *(f'{key}={value}' for key, value in variables.items()), sys.executable, '-c',
         RUN.format(module=MODULE, node=node), '--ros-args', '-r', f'__ns:={namespace}', *told),
        domain, folder, name,
    )  # fmt: skip


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


class Operator:
    """Asks a bridge, hears it, and commands its vehicle.

    Attributes:
        command: Velocity east, north, up [m/s] that is commanded while time passes; None: none.
    """

    def __init__(self, ros: Ros, namespace: str = '/uav_1') -> None:
        self._ros, self.command = ros, None
        self._states = ros.listen(DiagnosticStatus, f'{namespace}/bridge_state', LATCHED)
        self.odom = ros.listen(Odometry, f'{namespace}/odom', STATE_INPUT)
        self._sender = ros.tester.create_publisher(Twist, f'{namespace}/cmd_vel', COMMAND)
        self._namespace, self._clients, self._again = namespace, {}, 0.0

    @property
    def values(self) -> dict[str, str]:
        """What the bridge said last, by name; ``message`` is its reason."""
        if not self._states:
            return {'state': '', 'message': ''}
        last = self._states.last
        return {one.key: one.value for one in last.values} | {'message': last.message}

    @property
    def state(self) -> str:
        return self.values['state']

    @property
    def story(self) -> list[str]:
        """What the bridge said in turn, for people."""
        said = [f'{dict((v.key, v.value) for v in one.values)["state"]}: {one.message}'
                for one in self._states]  # fmt: skip
        return [line for line, before in zip(said, ['', *said], strict=False) if line != before]

    def until(self, condition: Any, what: str) -> None:
        """Let time pass until a condition holds, and command meanwhile."""
        self._ros.until(lambda: (self._live(), condition())[1], what)

    def until_state(self, *states: str) -> None:
        """Let time pass until the bridge is in one of some states."""
        try:
            self.until(lambda: self.state in states, ' or '.join(states))
        except pytest.fail.Exception as failure:
            raise AssertionError(f'{failure}; it said {self.story}') from None

    def during(self, seconds: float) -> None:
        """Let time pass, and command meanwhile."""
        for _ in range(round(seconds / PERIOD)):
            self._live()

    def _live(self) -> None:
        if self.command is not None:
            message = Twist()
            message.linear.x, message.linear.y, message.linear.z = self.command
            self._sender.publish(message)
            self._go_on()
        self._ros.meanwhile(PERIOD)

    def _go_on(self) -> None:
        """Engage again where a slow machine has let the bridge stand still for a moment."""
        stood_still = self.state == 'HOLD_REENTRY' and STOOD_STILL in self.values['message']
        if stood_still and time.monotonic() > self._again:
            self._again = time.monotonic() + 1.0
            self._client('engage').call_async(Trigger.Request())

    def _client(self, verb: str) -> Any:
        if verb not in self._clients:
            name = f'{self._namespace}/{verb}'
            self._clients[verb] = self._ros.tester.create_client(Trigger, name)
        return self._clients[verb]

    def ask(self, verb: str) -> tuple[bool, str]:
        """Ask for something; return whether it was accepted, and the answer."""
        client = self._client(verb)
        self.until(client.service_is_ready, f'the service {verb}')
        future = client.call_async(Trigger.Request())
        self.until(future.done, f'an answer to {verb}')
        return future.result().success, future.result().message

    def must(self, verb: str) -> None:
        """Ask for something that has to be accepted."""
        accepted, words = self.ask(verb)
        assert accepted, f'{verb}: {words}'

    def take_off(self) -> None:
        """Be in the air, holding; once more if a slow machine has ended the take-off."""
        for _ in range(ATTEMPTS):
            self.until(lambda: self.values.get('ready') == 'true', 'readiness')
            self.must('arm_takeoff')
            self.until_state('PRECHECK')
            self.until_state('HOLD', *ENDED)
            if self.state == 'HOLD':
                return
            assert STOOD_STILL in str(self.story) or 'failsafe' in str(self.story), self.story
            if self.state != 'READY':
                self.must('land')
                self.until_state('READY')
        raise AssertionError(f'no take-off: {self.story}')

    @property
    def place(self) -> tuple[float, float, float]:
        """The last position of its odometry [m]."""
        at = self.odom.last.pose.pose.position
        return at.x, at.y, at.z
