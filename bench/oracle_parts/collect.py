"""What one version does: run by ``oracle.py`` in a process whose imports come from that version.

python collect.py TREE OUT IS_OLD PART ...
"""

import contextlib
import hashlib
import importlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from oracle_parts.flights import (
    MOVED, NEW_SETTINGS, RENAMED, Flight, flights, lockstep_flights, spelled
)

TRACES = 200
TICKS_OF_A_TRACE = 1500
SWARM = [sys.executable, '-m', 'soliton_encirclement_ros.cli.main']

PER_TOPIC = 6
"""Times of a topic whose messages are compared on the wire."""

NEXT = {
    'READY': 'TAKE_OFF', 'ARMING': 'GO', 'HOLD': 'ENGAGE', 'TRACK': 'HOLD',
    'HOLD_REENTRY': 'ENGAGE', 'EXTERNAL': 'ENGAGE', 'FAULT': 'RESET',
}  # fmt: skip
"""What operators usually ask for, by the state of a bridge."""

UNTIMED = (
    '/rosout', '/diagnostics', '/parameter_events', '/events/write_split', '/swarm/markers',
)  # fmt: skip
"""Topics whose messages hold wall times, or come by them."""


def old_names(is_old: bool) -> dict[str, str]:
    """Return what this version calls the keys of the newer one, '' for what it lacks."""
    if not is_old:
        return {}
    return {new: old for old, new in RENAMED.items()} | dict.fromkeys(NEW_SETTINGS, '')


def collect_flights(out: Path, names: dict[str, str]) -> None:
    """Fly all flights without ROS; one folder each, with both tables."""
    from soliton_encirclement_ros.cli.main import main

    empty = out / 'scenario.yaml'
    empty.write_text('name: oracle\n', encoding='utf-8')
    for flight in flights():
        folder = out / flight.name
        if flight.external:
            folder.mkdir(parents=True, exist_ok=True)
            fly_with_external(flight, folder, names)
            continue
        words = ['simulate', str(empty), *spelled(flight.settings, names)]
        sys.argv = ['swarm', *words, '--no-pictures', '--json', '--out', str(folder)]
        with open(os.devnull, 'w') as nowhere, contextlib.redirect_stdout(nowhere):
            code = main()
        if code not in (0, 1):
            raise SystemExit(f'{flight.name}: exit code {code}')


def fly_with_external(flight: Flight, folder: Path, names: dict[str, str]) -> None:
    """Fly with members of whom is heard, now and then, where they are elsewhere."""
    import numpy as np
    from oracle_parts.series import flown, scenario_of

    settings = {names.get(key, key): value for key, value in flight.settings.items()}
    settings.pop('', None)
    table = flown(scenario_of(settings, flight.name), flight.external)
    header = ','.join(('timestamp', *(f'column_{k}' for k in range(1, table.shape[1]))))
    np.savetxt(folder / 'external.csv', table, fmt='%r', delimiter=',', comments='', header=header)


def collect_nodes(out: Path, names: dict[str, str]) -> None:
    """Fly by nodes in lockstep; keep tables, bags and the first messages of all topics."""
    for flight in lockstep_flights():
        folder = out / flight.name
        empty = out / 'scenario.yaml'
        empty.write_text('name: oracle\n', encoding='utf-8')
        words = ['run', str(empty), *spelled(flight.settings, names), '--json']
        run([*SWARM, *words, '--out', str(folder)], out)
        bag = next(folder.glob('*/bag'))
        (out / f'{flight.name}.wire.csv').write_text('\n'.join(wire(bag)) + '\n', encoding='utf-8')


def run(words: list[str], folder: Path) -> None:
    """Run a command in a folder without any code, of which Python would take it first."""
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=folder)
    if done.returncode not in (0, 1):
        what = ' '.join(words[3:5])
        raise SystemExit(f'{what}: exit code {done.returncode}: {done.stderr[-400:]}')


def wire(bag: Path) -> Iterator[str]:
    """Return digests of the messages on every topic, as they were on the wire, at its first times.

    Left out are those from before the run, of which there are as many as it takes until all
    nodes hear each other. Bytes between
    two numbers are as ROS happens to leave them: they are made zero.
    """
    from rosbags.highlevel import AnyReader
    from rosbags.typesys import Stores, get_typestore

    yield 'topic,type,timestamp,sha256'
    digests: dict[tuple[str, str], dict[int, set[str]]] = {}
    with AnyReader([bag], default_typestore=get_typestore(Stores.LATEST)) as reader:
        for connection, logged, data in reader.messages():
            topic, kind = connection.topic, connection.msgtype
            if topic in UNTIMED:
                continue
            message = reader.deserialize(data, kind)
            header = getattr(message, 'header', None)
            stamp = logged if header is None else header.stamp.sec * 10**9 + header.stamp.nanosec
            plain = bytes(reader.typestore.serialize_cdr(message, kind))
            if stamp > 0:
                times = digests.setdefault((topic, kind), {})
                times.setdefault(stamp, set()).add(hashlib.sha256(plain).hexdigest())
    for (topic, kind), times in sorted(digests.items()):
        for stamp in sorted(times)[:PER_TOPIC]:
            yield from (f'{topic},{kind},{stamp},{digest}' for digest in sorted(times[stamp]))


def collect_bags(out: Path, given: Path) -> None:
    """Report on the five bags that are given, the same for both versions."""
    for bag in sorted(given.iterdir()):
        words = ['report', str(bag), '--no-pictures', '--no-page', '--out', str(out / bag.name)]
        run([*SWARM, *words], out)


def collect_bridges(out: Path) -> None:
    """Let operators, pilots and faults act by chance on bridges with emulated autopilots."""
    from support.autopilot.emulated import EmulatedVehicle
    from support.autopilot.emulated_ardupilot import EmulatedArduPilot
    from velocity_mobility_ros.autopilot.engage.engage_records import Request
    from velocity_mobility_ros.core.twist_smoothing import Motion

    requests = [request for request in Request if request.name not in ('RELEASE',)]
    out.mkdir(parents=True, exist_ok=True)
    for k in range(TRACES):
        draws = random.Random(k)
        flight = EmulatedArduPilot() if k % 4 == 3 else EmulatedVehicle()
        thaws, lines = 0, ['tick,state,reason,intent,setpoint,sent']
        for tick in range(TICKS_OF_A_TRACE):
            request = None
            if tick % 100 == 99:
                request = draws.choice(requests)
                if draws.random() < 0.8:
                    usual = NEXT.get(flight.state.name)
                    request = None if usual is None else Request[usual]
            if tick % 25 == 0:
                fast = draws.choice([0.2, 1.0, 4.0, 50.0]) if tick > TICKS_OF_A_TRACE / 3 else 0.2
                east, north, up = (fast * draws.uniform(-1.0, 1.0) for _ in range(3))
                flight.command = Motion((east, north, up), 0.3)
            if tick > 100 and draws.random() < 0.002:
                thaws = tick + draws.randrange(1, 80)
            flight.is_frozen = tick < thaws
            if tick > 100 and draws.random() < 0.002:
                flight.command = None
            said = flight.tick(request)
            if said is None:
                continue
            engage = said.engage
            words = (engage.state.name, engage.reason, engage.intent, said.setpoint, engage.send)
            lines.append(f'{tick},' + ','.join(repr(word).replace(',', ';') for word in words))
        (out / f'trace_{k}.csv').write_text('\n'.join(lines) + '\n', encoding='utf-8')


def main() -> None:
    """Collect the parts that are named."""
    out, is_old, given = Path(sys.argv[1]), sys.argv[2] == 'old', Path(sys.argv[3])
    names = old_names(is_old)
    if is_old:
        sys.modules.update({new: importlib.import_module(old) for old, new in MOVED.items()})
    for part in sys.argv[4:]:
        folder = out / part
        folder.mkdir(parents=True, exist_ok=True)
        if part == 'flights':
            collect_flights(folder, names)
        elif part == 'nodes':
            collect_nodes(folder, names)
        elif part == 'bags':
            collect_bags(folder, given)
        else:
            collect_bridges(folder)
    sys.stdout.flush()
    os._exit(0)


if __name__ == '__main__':
    main()
