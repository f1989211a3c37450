"""What shows the swarm of a launch: the live page, and RViz."""

import os
import sys

from ament_index_python.packages import PackageNotFoundError, get_package_prefix
from launch.action import Action
from launch.actions import ExecuteProcess, LogInfo
from launch_ros.actions import Node
from velocity_mobility_ros.core.parent_process import to_child

from soliton_encirclement_ros.core.files.package_share import share_folder
from soliton_encirclement_ros.core.states.swarm_topics import CLOCK, ROOT, SHOWN
from soliton_encirclement_ros.launching.arguments import Given
from soliton_encirclement_ros.launching.launch_namespace import launched_fleet


def viewers(given: Given, use_sim_time: bool, own_clock: bool = False) -> list[Action]:
    """Return what shows the swarm, as far as it is requested: the live page, and RViz.

    Args:
        given: The arguments of the launch.
        use_sim_time: Whether RViz uses a ``/clock`` topic.
        own_clock: Whether it is the clock of the fleet, as in lockstep, not the global one.
    """
    return [*_live_page(given), *_rviz(given, use_sim_time, own_clock)]


def _live_page(given: Given) -> list[Action]:
    """Return ``swarm view``, which ends with the launch."""
    if given['view'] == 'false':
        return []
    words = ['view', '--namespace', launched_fleet(given).namespace or '/']
    if given['view'] == 'operate':
        words += ['--operate', *(('--agents', given['agents']) if given['agents'] else ())]
    command = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main', *words]
    return [ExecuteProcess(cmd=command, output='screen', additional_env=to_child())]


def _rviz(given: Given, use_sim_time: bool, own_clock: bool) -> list[Action]:
    """Return RViz, or a line that says what to install.

    In a namespace it shows the fleet of that namespace.
    """
    if given['rviz'] != 'true':
        return []
    try:
        get_package_prefix('rviz2')
    except PackageNotFoundError:
        distribution = os.environ.get('ROS_DISTRO', '<distribution>')
        return [LogInfo(msg=f'RViz is not installed: install ros-{distribution}-rviz2')]
    shown = (*SHOWN, CLOCK) if own_clock else SHOWN
    layout = share_folder() / 'config' / 'rviz' / 'swarm.rviz'
    return [
        Node(
            package='rviz2', executable='rviz2', arguments=['-d', str(layout)],
            parameters=[{'use_sim_time': use_sim_time}], output='log',
            remappings=[(ROOT.full_name(name), name) for name in shown],
        )
    ]  # fmt: skip
