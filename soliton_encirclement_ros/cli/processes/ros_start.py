"""What is checked and set before ROS starts in the process of a command."""

import os
from pathlib import Path

from velocity_mobility_ros.core.discovery_server import ask_for_all_topics
from velocity_mobility_ros.core.ros_environment import (
    DISCOVERY,
    LOCALHOST,
    check_discovery,
    check_middleware,
    discovery_range,
    discovery_warnings,
    warn_of,
)
from velocity_mobility_ros.core.shortage import warn_of_shortage

from soliton_encirclement_ros.core.run.run_folder import LOG


def check_ros() -> None:
    """Refuse settings with which ROS cannot start; warn of a shortage.

    Raises:
        StartupError: A setting is refused.
    """
    check_middleware()
    check_discovery(is_local=True)
    warn_of_shortage()


def set_environment(folder: Path) -> None:
    """Let ROS stay on this machine, unless asked otherwise, and log into a run's folder.

    Settings of discovery that have no effect then are warned of.
    """
    os.environ[DISCOVERY] = discovery_range() or LOCALHOST
    warn_of(discovery_warnings())
    ask_for_all_topics()  # also for the search for other swarms
    os.environ.setdefault('ROS_LOG_DIR', str((folder / LOG).resolve()))
