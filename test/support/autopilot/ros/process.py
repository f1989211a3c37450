"""For tests: emulated autopilots with services, in a process of their own.

with EmulatedAutopilots(folder, domain, [{'kind': 'ap_dds', 'prefix': '/ap'}]) as vehicles:
    vehicles.wait(lambda: vehicles[1].mode == 'GUIDED', 'GUIDED')
    vehicles.do(1, 'change', is_up=False)
"""

import json
import subprocess
import sys
import threading
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
        self._truth: dict[str, Any] = {}
        self._answers: dict[int, str] = {}
        self._count = 0
        self._err = folder / 'emulator.err'
        with self._err.open('wb') as err:
            self._popen = subprocess.Popen(
                (sys.executable, '-m', MODULE, json.dumps([*vehicles])), cwd=folder, stderr=err,
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env=autopilot_environment(domain),
            )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
