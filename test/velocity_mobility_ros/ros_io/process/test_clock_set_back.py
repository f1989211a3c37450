"""The clock of a computer is set back while a node waits: it does not wait for it to catch up."""

import sys
import time
from pathlib import Path

import pytest
from nav_msgs.msg import Odometry

from support.cli import Process
from support.ros.graph import Ros
from support.ros.process_clock import clock_environment, compile_clock, set_clock
from velocity_mobility_ros.ros_io.endpoints import STATE
from velocity_mobility_ros.ros_io.process.clock_watch import ClockWatch

pytestmark = pytest.mark.ros

NODE = (
    'import sys; from soliton_encirclement_ros.cli.executables import mobility_node; '
    'sys.exit(mobility_node())'
)
SECOND = 10**9


def test_a_node_goes_on_at_once_and_still_ends(ros: Ros, tmp_path: Path) -> None:
    """Where the middleware waits by the clock that is set, its timers begin anew."""
    library, clock = compile_clock(tmp_path), tmp_path / 'clock'
    if library is None:
        pytest.skip('no C compiler: apt install gcc')
    set_clock(clock, 0.0)
    odometry = ros.listen(Odometry, '/uav_1/odom', STATE)
    place = '--ros-args', '-r', '__ns:=/uav_1', '-p', 'update_rate:=0.05'
    command = (sys.executable, '-c', NODE, *place)
    changes = clock_environment(library, clock)
    with Process(command, ros.domain, tmp_path, is_killed=True, changes=changes) as process:
        ros.until(lambda: len(odometry) > 20, 'the vehicle')
        for ahead in (-3600.0, -7200.0, 0.0, -600.0, -6000.0):
            set_clock(clock, ahead)
            come = len(odometry)
            ros.until(lambda come=come: len(odometry) > come + 20, 'odometry after the step')
            assert odometry.last.header.stamp.sec - time.time() == pytest.approx(ahead, abs=60.0)
        process.interrupt()
        assert process.end() == 0


def steps_in(*clocks: tuple[int, int]) -> int:
    """Return how many steps are seen in looks at a clock and a steady clock [ns]."""
    steps, looks = [], iter(clocks)
    watch = ClockWatch(lambda: steps.append(1), lambda: next(looks))
    for _ in clocks[1:]:
        watch.look()
    return len(steps)


def test_a_step_is_seen_and_not_time_that_passes() -> None:
    passing = [(k * SECOND, k * SECOND) for k in range(10)]
    assert steps_in(*passing) == 0
    slewed = [(k * SECOND + k * 10**6, k * SECOND) for k in range(10)]
    assert steps_in(*slewed) == 0
    assert steps_in((5 * SECOND, 0), (4 * SECOND, SECOND), (5 * SECOND, 2 * SECOND)) == 1
    assert steps_in((5 * SECOND, 0), (7 * SECOND, SECOND)) == 1
