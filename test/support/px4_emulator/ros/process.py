"""For tests: emulated vehicles in a process of their own, with what is true about them.

with EmulatedPx4s(folder, domain, [{'instance': 1}, {'instance': 2}], '1.17') as px4s:
    px4s.wait(lambda: px4s[1].mode == 'OFFBOARD', 'vehicle 1 in OFFBOARD')
    px4s.do(1, 'pilot_takes', mode='POSCTL')
    assert px4s[1].violations == []
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from support.cli import REPOSITORY, environment, wait_until
from support.interfaces.environment import environment_with

MODULE = 'support.px4_emulator.ros.main'
ROW = 47.397742, 8.545594, 488.0
"""Latitude and longitude [deg], altitude [m] of the first vehicle."""

BARE = {'FASTDDS_DEFAULT_PROFILES_FILE': str(Path(__file__).with_name('bare.xml'))}
"""PX4 tells nobody its types: messages of another release arrive, if they are not too long."""

SPACING = 6.6e-5
"""Difference of longitude between two neighbours [deg]: 5 m."""


def px4_environment(domain: int | str, release: str) -> dict[str, str]:
    """Return the environment of a process in a ROS domain with the messages of a release."""
    base = environment(domain)
    base['PYTHONPATH'] = f'{REPOSITORY}:{REPOSITORY / "test"}'
    return environment_with(base, px4_release=release)


def in_a_row(vehicles: Sequence[Mapping[str, Any]], release: str) -> list[dict[str, Any]]:
    """Return settings of vehicles that stand 5 m apart, from west to east, cheap, each changed."""
    latitude, longitude, altitude = ROW
    return [
        {
            'release': release, 'vehicle': 'kinematic', 'seed': k, 'latitude': latitude,
            'longitude': longitude + k * SPACING, 'altitude': altitude,
        } | vehicle
        for k, vehicle in enumerate(vehicles)
    ]  # fmt: skip


class EmulatedPx4s:
    """The process; it is gone when the block is left."""

    def __init__(
        self,
        folder: Path,
        domain: int | str,
        vehicles: Sequence[Mapping[str, Any]] = ({},),
        release: str = '1.17',
        speed: float = 1.0,
        **changes: str,
    ) -> None:
        """Start it and wait until it tells the truth.

        Args:
            folder: Where its messages about trouble land.
            domain: ROS domain.
            vehicles: Changed ``Settings`` of each vehicle, such as ``{'instance': 1}``.
            release: Of PX4, and of the messages.
            speed: How many times as fast as the wall's their clock is.
            changes: Further environment variables.
        """
        told = {'vehicles': in_a_row(vehicles, release), 'speed': speed}
        self._start(MODULE, told, folder, px4_environment(domain, release) | BARE | changes)

    def _start(self, module: str, told: Any, folder: Path, variables: dict[str, str]) -> None:
        """Start a module with what it is told, and hear it."""
        self._truth: dict[str, Any] = {}
        self._answers: dict[int, str] = {}
        self._count = 0
        self._err = folder / f'{module}.err'
        with self._err.open('wb') as err:
            self._popen = subprocess.Popen(
                (sys.executable, '-m', module, json.dumps(told)), cwd=folder, stderr=err,
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables,
            )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> 'EmulatedPx4s':
        self.wait(lambda: self._truth, 'the emulated PX4s')
        return self

    def __exit__(self, *error: object) -> None:
        self._popen.stdin.close()
        try:
            self._popen.wait(20.0)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._reader.join()
        self._popen.stdout.close()

    def _read(self) -> None:
        for line in self._popen.stdout:
            if not line.startswith('{'):  # a library speaks, not the emulator
                print(line, end='')
                continue
            told = json.loads(line)
            if 'vehicles' in told:
                self._truth = told
            else:
                self._answers[told.get('done', told.get('failed'))] = told.get('why', '')

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def time(self) -> float:
        """Time of the newest truth, since the start [s]."""
        return self._truth['time']

    def __getitem__(self, instance: int) -> SimpleNamespace:
        """Return the newest truth about a vehicle, see ``words.truth``."""
        return SimpleNamespace(**self._truth['vehicles'][str(instance)])

    def wait(self, condition: Callable[[], Any], what: str, timeout: float = 60.0) -> Any:
        """Wait until a condition holds and return its value, or fail."""

        def checked() -> Any:
            code = self._popen.poll()
            assert code is None, f'the emulator ended with {code}: {self._err.read_text()}'
            return condition()

        return wait_until(checked, what, timeout)

    def do(self, instance: int, what: str, **given: Any) -> None:
        """Let something happen to a vehicle, see ``words.obey``; return when it has happened."""
        self._count += 1
        number = self._count
        asked = {'id': number, 'do': what, 'vehicle': instance, 'with': given}
        self._popen.stdin.write(json.dumps(asked) + '\n')
        self._popen.stdin.flush()
        self.wait(lambda: number in self._answers, f'{what} to happen')
        assert not self._answers[number], f'{what}: {self._answers[number]}'
