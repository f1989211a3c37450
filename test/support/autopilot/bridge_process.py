"""For tests: a bridge as a process of its own, with the messages of its autopilot.

The process of the test has none of these: it speaks with the bridge as an operator does.
"""

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

from support.autopilot.ros.process import autopilot_environment
from support.cli import Process, wait_until
from support.interfaces.environment import PATHS
from support.px4_emulator.ros.process import ROW, px4_environment

CODE = (
    'import sys; from soliton_encirclement_ros.cli import executables; '
    'sys.exit(executables.{node}())'
)
NODES = {'px4': 'px4_bridge_node', 'ardupilot': 'ardupilot_bridge_node'}
"""Node by kind of autopilot; that of all others is ``mavros_bridge_node``."""

WORDS = {
    'operate': True,
    'px4_offboard_loss_action': 'hold', 'px4_rc_policy': 'no remote control',
    'ardupilot_failsafes': 'FS_GCS_ENABLE 5',
}  # fmt: skip
"""What the operator has to state."""

ORIGIN = dict(zip(('origin_latitude', 'origin_longitude', 'origin_altitude'), ROW, strict=True))
"""The swarm's origin: where the first emulated vehicle stands."""

OF_OTHERS = ('too slow', 'ticks missed', 'incompatible QoS')
"""What a slow machine makes a bridge say, and what rclpy says by itself."""

LEAVES = 20.0
"""Time in which it ends when it is asked to [s]."""

QUICK = {'takeoff_height': 1.6, 'takeoff_speed': 2.0, 'check_time': 1.2}
"""A take-off that does not take long."""


def arguments(namespace: str, **parameters: object) -> list[str]:
    """Return the ROS arguments of a node with a namespace and parameters; ``__`` stands for a dot.

    Strings are quoted, so that YAML does not read them as anything else.
    """
    found = ['--ros-args', '-r', f'__ns:={namespace}']
    for name, value in parameters.items():
        text = f"'{value}'" if isinstance(value, str) else str(value).lower()
        found += ['-p', f'{name}:={text}']
    return found


class BridgeProcess(Process):
    """A bridge in namespace ``/uav_<number>``; it is gone when the block is left."""

    def __init__(
        self,
        domain: int | str,
        folder: Path,
        number: int,
        release: str = '1.17',
        code: str = CODE,
        namespace: str = '',
        is_killed: bool = False,
        kind: str = 'px4',
        **parameters: object,
    ) -> None:
        """Start it.

        Args:
            domain: ROS domain.
            folder: Where its output lands.
            number: Number of the vehicle.
            release: Of px4_msgs; empty: there are no messages of the autopilot.
            code: What Python runs; ``{node}`` stands for the node.
            namespace: The namespace if it is another one.
            is_killed: Whether the test kills it.
            kind: Of autopilot, see ``NODES``.
            parameters: Changed parameters; None: one of the usual ones is not given.
        """
        given = {**WORDS, **ORIGIN, **QUICK, **parameters}
        given = {name: value for name, value in given.items() if value is not None}
        space = namespace or f'/uav_{number}'
        made = px4_environment if kind == 'px4' else lambda where, _: autopilot_environment(where)
        base = made(domain, release) if release else {}
        code = code.replace('{node}', NODES.get(kind, 'mavros_bridge_node'))
        settings = [f'{name}={base[name]}' for name in PATHS if name in base]
        settings.append(f'ROS_HOME={folder}')  # what one bridge keeps, the next one finds
        command = ('env', *settings, sys.executable, '-c', code, *arguments(space, **given))
        super().__init__(command, domain, folder, f'bridge{space.replace("/", "_")}', is_killed)

    def __exit__(self, *error: object) -> None:
        """Let it hand its vehicle over and end; killed, it would leave shared memory damaged."""
        if self.popen.poll() is None:
            self.go_on()
            self.interrupt()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(LEAVES)
        super().__exit__(*error)

    def freeze(self) -> None:
        """Let it stand still."""
        self.popen.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self.popen.send_signal(signal.SIGCONT)

    def lines(self, level: str) -> list[str]:
        """Return the texts of its log lines of a level, such as ``WARN``."""
        marked = [line for line in self.err.splitlines() if line.startswith(f'[{level}]')]
        return [line.partition(']: ')[2] for line in marked]

    @property
    def complaints(self) -> list[str]:
        """What it has logged as a warning or an error about its vehicle."""
        lines = [*self.lines('WARN'), *self.lines('ERROR')]
        return [line for line in lines if not any(text in line for text in OF_OTHERS)]


def says_once(process: BridgeProcess, *texts: str, level: str = 'WARN') -> None:
    """Wait for the one complaint of a bridge, which is the only one up to now."""
    wait_until(lambda: process.complaints, f'a line with {texts}')
    (line,) = process.complaints
    assert all(text in line for text in texts), line
    assert line in process.lines(level)
