"""For tests under the real launch; a module that imports this is skipped without launch_pytest."""
# ruff: noqa: E402 (a skip must come before the imports that would fail)

from pathlib import Path

import pytest

launch_pytest = pytest.importorskip(
    'launch_pytest', reason='launch_pytest is not on PyPI: it comes with a ROS 2 installation'
)

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource

PACKAGE = 'soliton_encirclement_ros'

START_UP = 60.0
"""Wall time [s] that processes have to appear."""


def description(name: str, domain: int, arguments: dict[str, str]) -> LaunchDescription:
    """Return an installed launch file with arguments, in a ROS domain."""
    try:
        share = Path(get_package_share_directory(PACKAGE))
    except PackageNotFoundError:
        pytest.skip(f'{PACKAGE} is not installed: colcon build, then source install/setup.bash')
    source = PythonLaunchDescriptionSource(str(share / 'launch' / name))
    return LaunchDescription([
        SetEnvironmentVariable('ROS_DOMAIN_ID', str(domain)),
        IncludeLaunchDescription(source, launch_arguments=arguments.items()),
    ])


def launch(name: str, domain: int, arguments: dict[str, str]) -> int:
    """Launch a file, wait until it ends by itself, and return the exit code."""
    service = LaunchService(noninteractive=True)
    service.include_launch_description(description(name, domain, arguments))
    return service.run()


__all__ = ['START_UP', 'LaunchDescription', 'description', 'launch', 'launch_pytest']
