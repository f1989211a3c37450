"""For tests under the real launch; a module that imports this is skipped without launch_pytest."""
# ruff: noqa: E402 (a skip must come before the imports that would fail)

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

launch_pytest = pytest.importorskip(
    'launch_pytest', reason='launch_pytest is not on PyPI: it comes with a ROS 2 installation'
)

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from launch import LaunchContext, LaunchDescription, LaunchService
from launch.action import Action
from launch.actions import (
    GroupAction, IncludeLaunchDescription, SetEnvironmentVariable, TimerAction
)
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import PushRosNamespace, SetParameter

from support.cli import processes_that_mention, wait_until

PACKAGE = 'soliton_encirclement_ros'

STARTED = 0.3
"""Wall time [s] after which a process has surely started: launch itself hangs for ever on a ctrl-C
in the very moment in which it starts processes, whatever they are."""

START_UP = 60.0
"""Wall time [s] that processes have to appear."""


def source_of(name: str) -> PythonLaunchDescriptionSource:
    """Return an installed launch file."""
    try:
        share = Path(get_package_share_directory(PACKAGE))
    except PackageNotFoundError:
        pytest.skip(f'{PACKAGE} is not installed: colcon build, then source install/setup.bash')
    return PythonLaunchDescriptionSource(str(share / 'launch' / name))


def declared_arguments(name: str) -> set[str]:
    """Return the names of the arguments that an installed launch file declares."""
    description = source_of(name).get_launch_description(LaunchContext())
    return {argument.name for argument in description.get_launch_arguments()}


def included(name: str, arguments: dict[str, str]) -> IncludeLaunchDescription:
    """Return the action that includes an installed launch file with arguments."""
    return IncludeLaunchDescription(source_of(name), launch_arguments=arguments.items())


def described(domain: int, *actions: Action) -> LaunchDescription:
    """Return actions in a ROS domain."""
    return LaunchDescription([SetEnvironmentVariable('ROS_DOMAIN_ID', str(domain)), *actions])


def enclosed(namespace: str, parameters: dict[str, object], *actions: Action) -> GroupAction:
    """Return actions in a namespace and with parameters for all of their nodes."""
    shared = [SetParameter(name, value) for name, value in parameters.items()]
    return GroupAction([PushRosNamespace(namespace), *shared, *actions])


def later(period: float, action: Action) -> TimerAction:
    """Return an action that is taken after some time [s]."""
    return TimerAction(period=period, actions=[action])


def description(name: str, domain: int, arguments: dict[str, str]) -> LaunchDescription:
    """Return an installed launch file with arguments, in a ROS domain."""
    return described(domain, included(name, arguments))


def run_launch(description: LaunchDescription) -> int:
    """Launch, wait until it ends by itself, and return the exit code."""
    service = LaunchService(noninteractive=True)
    service.include_launch_description(description)
    return service.run()


def launch(name: str, domain: int, arguments: dict[str, str]) -> int:
    """Launch a file, wait until it ends by itself, and return the exit code."""
    return run_launch(description(name, domain, arguments))


def ctrl_c(pid: int) -> None:
    """Press ctrl-C in the terminal of a launch: all its processes hear it."""
    os.killpg(pid, signal.SIGINT)


def terminate(pid: int) -> None:
    """Let a service manager or a container end a launch, which alone hears it."""
    os.kill(pid, signal.SIGTERM)


def kill(pid: int) -> None:
    """Kill a launch, and none of its processes."""
    os.kill(pid, signal.SIGKILL)


def ros2_launch(
    name: str | Path,
    domain: int,
    arguments: dict[str, str],
    stop_at: str = '',
    stop: Callable[[int], None] = ctrl_c,
) -> tuple[int, str]:
    """Run ``ros2 launch`` on one of our files, or on any by its path; return code and output.

    Args:
        name: The launch file.
        domain: The ROS domain.
        arguments: Arguments of the launch.
        stop_at: Text at which it is stopped; empty: it is not.
        stop: How, by its process id.
    """
    which = [str(name)] if isinstance(name, Path) else [PACKAGE, name]
    told: list[str] = []
    with subprocess.Popen(
        ['ros2', 'launch', *which, *[f'{key}:={value}' for key, value in arguments.items()]],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env={**os.environ, 'ROS_DOMAIN_ID': str(domain), 'PYTHONPATH': os.pathsep.join(sys.path),
             'PYTHONUNBUFFERED': '1'},
    ) as process:  # fmt: skip
        for line in process.stdout:
            told.append(line)
            if stop_at and stop_at in line:
                stop_at = ''
                time.sleep(STARTED)
                stop(process.pid)
        return process.wait(60.0), ''.join(told)


@contextmanager
def killed(executable: str, when: Callable[[], bool]) -> Iterator[None]:
    """Kill a process that this one has launched, once something holds."""

    def ours() -> list[int]:
        return [pid for pid in processes_that_mention(executable) if _is_child(pid)]

    with killed_once(ours, when):
        yield


def _is_child(pid: int) -> bool:
    status = Path(f'/proc/{pid}/status').read_text(encoding='utf-8')
    return f'\nPPid:\t{os.getpid()}\n' in status


@contextmanager
def killed_once(pids: Callable[[], Iterable[int]], when: Callable[[], bool]) -> Iterator[None]:
    """Kill processes once something holds."""

    def kill() -> None:
        wait_until(when, 'the time to kill')
        for pid in pids():
            os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    yield
    thread.join()


__all__ = [
    'PACKAGE', 'START_UP', 'LaunchDescription', 'ctrl_c', 'declared_arguments', 'described',
    'description', 'enclosed', 'included', 'kill', 'killed', 'killed_once', 'later', 'launch',
    'launch_pytest', 'ros2_launch', 'run_launch', 'terminate',
]  # fmt: skip
