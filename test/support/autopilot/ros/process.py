"""For tests: emulated autopilots with services, in a process of their own.

with EmulatedAutopilots(folder, domain, [{'kind': 'ap_dds', 'prefix': '/ap'}]) as vehicles:
    vehicles.wait(lambda: vehicles[1].mode == 'GUIDED', 'GUIDED')
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.cli import REPOSITORY, environment
from support.interfaces.environment import environment_with
from support.px4_emulator.ros.process import EmulatedPx4s

MODULE = 'support.autopilot.ros.main'
PACKAGES = 'ardupilot_msgs', 'geographic_msgs', 'mavros_msgs'


def autopilot_environment(domain: int | str) -> dict[str, str]:
    """Return the environment of a process in a ROS domain with the autopilots' messages."""
    base = environment(domain)
    base['PYTHONPATH'] = f'{REPOSITORY}:{REPOSITORY / "test"}'
    return environment_with(base, *PACKAGES, px4_release='1.17')


class EmulatedAutopilots(EmulatedPx4s):
    """The process; it is gone when the block is left. Vehicles are numbered from 1."""

    def __init__(
        self, folder: Path, domain: int | str, vehicles: Sequence[Mapping[str, Any]]
    ) -> None:  # fmt: skip
        """Start it and wait until it tells the truth.

        Args:
            folder: Where its messages about trouble land.
            domain: ROS domain.
            vehicles: Kind, prefix and changed settings of each.
        """
        self._start(MODULE, [*vehicles], folder, autopilot_environment(domain))
