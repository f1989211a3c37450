"""What a reader of README.md and docs/ has, by name: recordings, maps, vehicles, laws."""

import atexit
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import yaml

from soliton_encirclement_ros.analysis.bag.bag_reader import read_recording
from soliton_encirclement_ros.analysis.recording import Member
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.cli import REPOSITORY, SWARM
from support.recorded.bags import Raw, fly_bag, raw_messages, write_bag
from support.recorded.logs import ulog_of, write_dataflash, write_tlog, write_ulog

NS = 10**9
BETWEEN = 60 * NS
"""Time [ns] from the beginning of a flight in a bag to that of the next one."""


@cache
def _flown() -> tuple[Raw, ...]:
    """Return the messages of a flight of four agents."""
    changes: dict[str, dict[str, Any]] = {
        'run': {'num_agents': 4, 'sim_duration': 40.0},
        'failure': {'failure_enable': False},
        'mobility': {'tau_xy': 0.5},
    }
    with TemporaryDirectory() as folder:
        flight = Scenario('flown').with_changes(changes, 'a flight')
        return tuple(raw_messages(fly_bag(Path(folder) / 'bag', flight)))


def bag(folder: Path) -> None:
    """Leave the bag of a flight."""
    write_bag(folder, _flown())


def bag_file(path: Path) -> None:
    """Leave the file of a bag."""
    with TemporaryDirectory() as folder:
        write_bag(Path(folder) / 'bag', _flown())
        shutil.copy(next(Path(folder, 'bag').glob('*.mcap')), path)


@cache
def _members() -> Mapping[str, Member]:
    """Return what was flown, by name."""
    with TemporaryDirectory() as folder:
        return read_recording(write_bag(Path(folder) / 'bag', _flown())).members


def ulog(path: Path) -> None:
    """Leave the log of a PX4."""
    write_ulog(path, ulog_of(_members()['uav_1']))


def dataflash(path: Path) -> None:
    """Leave the log of an ArduPilot."""
    write_dataflash(path, _members()['uav_2'])


def tlog(path: Path) -> None:
    """Leave the log of a ground station."""
    write_tlog(path, {k: _members()[f'uav_{k}'] for k in (1, 2, 3)})


def session(folder: Path) -> None:
    """Leave a bag with two flights, one after the other, and of a fleet in `alpha` beside."""
    twice = [one._replace(time_ns=one.time_ns + k * BETWEEN) for k in range(2) for one in _flown()]
    beside = [one._replace(topic=f'/alpha{one.topic}') for one in _flown()]
    write_bag(folder, sorted([*twice, *beside], key=lambda one: one.time_ns))


@cache
def _run_folder() -> Path:
    """Return the folder of a run, flown once."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder)
    words = 'simulate', 'demo', '--duration', '20', '--no-pictures', '--out', str(folder)
    subprocess.run([*SWARM, *words], check=False, capture_output=True)
    return next(folder.glob('*-demo-*'))


def run(folder: Path) -> None:
    """Leave the folder of a run."""
    shutil.copytree(_run_folder(), folder)


def _told(content: dict[str, Any]) -> Callable[[Path], object]:
    """Return a maker of a YAML file."""
    return lambda path: path.write_text(yaml.safe_dump(content), encoding='utf-8')


def law(path: Path) -> None:
    """Leave a law of the reader's own."""
    shutil.copy(REPOSITORY / 'docs' / 'pursuit.py', path)


AGENTS = tuple(f'uav_{k}' for k in (1, 2, 3, 4))
NAMES = _told({
    'agents': {
        **{name: {'odom': f'/{name}/odom', 'cmd_vel': f'/{name}/cmd_vel'} for name in AGENTS},
        'truck': {'odom': '/target/odom'},
    },
})  # fmt: skip

THINGS: dict[str, Callable[[Path], object]] = {
    'flight.mcap': bag_file,
    'flight7': bag,
    'flight8': bag,
    'flight_7': bag,
    'gcs.tlog': tlog,
    'uav_1.ulg': ulog,
    'uav_2.bin': dataflash,
    'gains.yaml': _told({'/**': {'ros__parameters': {'k_s': 1.5}}}),
    'mine.yaml': _told({'mobility': {'tau_xy': 0.5}}),
    'my_law.py': law,
    'names.yaml': NAMES,
    'ours.yaml': _told({'mobility': {'tau_xy': 0.5}}),
    'runs/a': run,
    'runs/b': run,
    'runs/real': run,
    'runs/simulated': run,
    'session': session,
    'sim': bag,
    'simulation': bag,
}
