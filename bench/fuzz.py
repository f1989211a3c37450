"""Messages, requests and files that nobody should send, against every node and every reader.

    python bench/fuzz.py nodes [--messages N] [--minutes M] [--seed S] [--node NAME ...]
    python bench/fuzz.py nodes --replay runs/fuzz/NAME/reproducer.json
    python bench/fuzz.py readers [--minutes M] [--reader NAME ...]
    python bench/fuzz.py readers --replay FILE --reader NAME

``nodes`` starts each node of the package as a process and floods its topics and services with
messages drawn from their definitions, changed recorded ones, and damaged bytes. ``readers`` lets
atheris look for input that makes a reader fail with anything but the package's own errors.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import velocity_mobility_ros  # noqa: F401  before the folder of its tests, which has its name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'test'))

from fuzz_parts.cases import NAMES
from fuzz_parts.reader import try_input
from fuzz_parts.readers import READERS
from fuzz_parts.search import fuzz_readers

from soliton_encirclement_ros.cli.output import say
from support.autopilot.ros.process import autopilot_environment
from support.ros_domain import domain_of_its_own


def fuzz_nodes(asked: argparse.Namespace) -> int:
    """Fuzz nodes one after another, each by a process with the messages of all autopilots."""
    names, more = asked.node or NAMES, []
    if asked.replay:
        names, more = [json.loads(asked.replay.read_text())['node']], ['--replay', asked.replay]
    results = []
    for name in names:
        with domain_of_its_own() as domain:
            environment = autopilot_environment(domain)
            environment['PYTHONPATH'] += f':{Path(__file__).parent}'
            given = ['--messages', asked.messages // len(names), '--minutes', asked.minutes,
                     '--seed', asked.seed, '--out', asked.out, '--domain', domain,
                     *['--quick'] * asked.quick, *more]  # fmt: skip
            command = [sys.executable, '-P', __file__, 'one', name, *map(str, given)]
            subprocess.run(command, env=environment, check=False)
        file = asked.out / name / 'result.json'
        lost = {'node': name, 'faults': ['the flood itself has ended']}
        result = json.loads(file.read_text()) if file.exists() else lost
        results.append(result)
        say(json.dumps(result))
    for result in results:
        for fault in result['faults']:
            say(f'FAULT {result["node"]}: {fault}')
    say(f'{sum(result.get("taken", 0) for result in results)} messages taken by {len(results)} '
        f'nodes, seed {asked.seed}: {sum(len(result["faults"]) for result in results)} faults')
    return 1 if any(result['faults'] for result in results) else 0


def fuzz_one(asked: argparse.Namespace) -> int:
    """Fuzz one node in this process."""
    from fuzz_parts.fuzzed_node import Fuzzed

    folder = asked.out / asked.name
    seed, window = f'{asked.seed} {asked.name}', None
    if asked.replay:
        stored: dict[str, Any] = json.loads(asked.replay.read_text())
        seed, window = stored['seed'], stored['window']
    stock = asked.out / 'recorded.json'
    fuzzed = Fuzzed(asked.name, seed, folder, asked.domain, stock, asked.quick)
    result = fuzzed.run(asked.messages, 60.0 * asked.minutes, window)
    (folder / 'result.json').write_text(json.dumps(result))
    return 0


def parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    kinds = parser.add_subparsers(dest='what', required=True)
    nodes, one = kinds.add_parser('nodes'), kinds.add_parser('one')
    readers = kinds.add_parser('readers')
    for some in (nodes, one):
        some.add_argument('--messages', type=int, default=1_000_000, help='for all nodes together')
        some.add_argument('--seed', default='1')
        some.add_argument('--quick', action='store_true', help='record nothing before')
    nodes.add_argument('--node', nargs='+', choices=NAMES, default=[])
    one.add_argument('name', choices=NAMES)
    one.add_argument('--domain', type=int)
    readers.add_argument('--reader', nargs='+', choices=READERS, default=[])
    for some in (nodes, one, readers):
        some.add_argument('--minutes', type=float, default=10.0, help='for each, at most')
        some.add_argument('--out', type=Path, default=Path('runs/fuzz'))
        some.add_argument('--replay', type=Path, metavar='FILE')
    asked = parser.parse_args(words)
    asked.out = asked.out.resolve()
    return asked


def main() -> int:
    """Fuzz; return 0 without a fault, 1 with one."""
    asked = parse()
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.what == 'one':
        return fuzz_one(asked)
    if asked.what == 'nodes':
        return fuzz_nodes(asked)
    names = asked.reader or [*READERS]
    if not asked.replay:
        return fuzz_readers(names, asked.minutes, asked.out, say)
    finding = try_input(READERS[names[0]](), asked.replay.read_bytes())
    say(f'{asked.replay}: {finding.kind}: {finding.text}' if finding else f'{asked.replay}: read')
    return int(finding is not None)


if __name__ == '__main__':
    sys.exit(main())
