"""How long `swarm report` takes for a long flight, beside plain deserialisation by rosbags.

    python bench/report.py [SHARE OF AN HOUR] [FOLDER]

The flight: 10 agents that fail and return, target and adversary, 50 ticks per second, everything
recorded as in lockstep (8.3 million messages in an hour). The report: tables in Parquet, all
figures, all pictures, the page.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bag_reading import alone, plain
from machine import describe

from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.scenario.user_files import find_scenario
from soliton_encirclement_ros.sim import RecordedData, Simulation

SWARM = Path(sys.executable).with_name('swarm')
HOUR = 3600.0
FAST = {'swarm': {'control_period': 0.02}, 'mobility': {'update_rate': 0.02}}


def flight(share: float) -> Scenario:
    """Return what is flown."""
    long = {'run': {'sim_duration': share * HOUR}}
    return load_scenario(find_scenario('failures')).with_changes(FAST, 'x').with_changes(long, 'x')


def report(bag: Path, out: Path) -> tuple[float, float]:
    """Return wall time [s] and peak memory [MB] of the whole command."""
    command = [SWARM, 'report', bag, '--out', out, '--table', 'parquet', '--json']
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        peak = 0.0
        while process.poll() is None:
            peak = max(peak, memory_of(process.pid))
            time.sleep(0.05)
    if process.returncode:
        sys.exit(f'swarm report ended with {process.returncode}')
    return time.perf_counter() - begun, peak


def memory_of(pid: int) -> float:
    """Return the peak resident memory of a process so far [MB]."""
    try:
        lines = Path(f'/proc/{pid}/status').read_text(encoding='ascii').splitlines()
    except (OSError, ValueError):
        return 0.0
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith('VmHWM')), 0.0)


def main() -> None:
    """Fly, report, and deserialise a part for comparison."""
    share = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
    print(describe())
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        run = Path(folder) / 'run'
        run.mkdir()
        Simulation(flight(share), run, RecordedData(('bag',), pictures=False)).fly()
        bag = run / 'bag'
        size = sum(path.stat().st_size for path in bag.iterdir()) / 1e6
        seconds, megabytes = report(bag, Path(folder) / 'out')
        page = (Path(folder) / 'out' / 'report.html').stat().st_size / 1e6
        other, _, done = alone(plain, bag)
        count = messages_in(bag)
        print(f'{share:g} h, {count} messages, {size:.0f} MB')
        print(f'swarm report: {seconds:.1f} s, {megabytes:.0f} MB at the peak, page {page:.1f} MB')
        print(f'rosbags, deserialising alone: {other / done * count:.1f} s (from {done} messages)')
        print(f'ratio {other / done * count / seconds:.2f}')


def messages_in(bag: Path) -> int:
    """Return how many messages a bag has."""
    from rosbags.rosbag2 import Reader

    with Reader(bag) as reader:
        return reader.message_count


if __name__ == '__main__':
    main()
