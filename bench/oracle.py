"""Whether two versions do the same, bit for bit, and how fast each is.

    python bench/oracle.py BASE [HEAD] [--only PART ...] [--rounds R] [--keep FOLDER]
    python bench/oracle.py --store

BASE and HEAD are commits; without HEAD it is the working tree as it stands. The program that flies
both is always that of the working tree, its emulated autopilots too; what settings, columns and
modules were called before is in ``oracle_parts/flights.py``. Compared are

- flights: both tables of 60 flights without ROS, over all laws, layers, radios, vehicles,
  estimators, failures, members flown elsewhere, and the original's order of events;
- nodes: six flights by nodes in lockstep, and the messages on every topic at six times as they
  were on the wire;
- bags: what ``swarm report`` finds in five of their bags;
- bridges: 200 traces of bridges with emulated autopilots, operators, pilots and faults by chance;
- speed: wall times side by side, as ratios (HEAD to BASE); they decide nothing.

The exit code is 1 if a bit differs: the first one is named by flight, tick and column.
"""

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from oracle_parts.flights import ADDED, RENAMED

REPOSITORY = Path(__file__).resolve().parent.parent
EXACT = ('flights', 'nodes', 'bags', 'bridges')
PARTS = (*EXACT, 'speed')
WORKING_TREE = 'working tree'
BAGS = 5
MAX_DIFFERENCES = 10
"""Differences that are named, of each part."""

PLACES = {'node_id', 'timestamp', 'tick', 'topic'}
"""Columns that say where in a table something is."""

COMPARED = {'.csv', '.parquet'}
VOLATILE = {'created', 'version', 'wall_s', 'path', 'command', 'took_s'}


class Tree(NamedTuple):
    """A version: what the user calls it, and where its files are."""

    name: str
    path: Path

    def environment(self) -> dict[str, str]:
        """Return an environment in which Python imports this version."""
        paths = (self.path, REPOSITORY / 'test', REPOSITORY / 'bench')
        ours = {
            'PYTHONPATH': os.pathsep.join(map(str, paths)),
            'PYTHONDONTWRITEBYTECODE': '1',
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        }
        return {**os.environ, **ours}


def main() -> int:
    """Compare two versions; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('base', nargs='?')
    parser.add_argument('head', nargs='?', default=WORKING_TREE)
    parser.add_argument('--only', nargs='+', choices=PARTS, default=PARTS)
    parser.add_argument('--rounds', type=int, default=3, help='of the speeds')
    parser.add_argument('--keep', type=Path, help='folder for everything that was flown')
    parser.add_argument('--store', action='store_true', help='write the series of the tests anew')
    asked = parser.parse_args()
    if asked.store:
        from oracle_parts.series import store

        store()
        return 0
    if asked.base is None:
        print('error: BASE is missing: name a commit to compare with', file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        work = (asked.keep or Path(temporary)).resolve()
        try:
            check_environment()
            trees = [checked_out(name, work) for name in (asked.base, asked.head)]
            for tree in trees:
                check_imports(tree, work)
        except RuntimeError as error:
            print(f'error: {error}', file=sys.stderr)
            return 2
        code = 0
        for part in (name for name in EXACT if name in asked.only):
            count, differing = compared(part, trees, work)
            print(f'{part}: {count} compared, {verdict(differing)}')
            shown = differing[:MAX_DIFFERENCES]
            print(''.join(f'  {line}\n' for line in shown), end='', flush=True)
            code = 1 if differing else code
        if 'speed' in asked.only:
            print_speeds(trees, work, asked.rounds)
    return code


def check_environment() -> None:
    """Refuse an interpreter that cannot fly.

    Raises:
        RuntimeError: A library is missing.
    """
    try:
        import numba  # noqa: F401
        import rclpy  # noqa: F401
        import rosbags  # noqa: F401
    except ImportError as error:
        raise RuntimeError(f'{error}: run it with .venv/bin/python, after make setup') from None


def checked_out(name: str, work: Path) -> Tree:
    """Return a version, with its files in a folder of their own.

    Raises:
        RuntimeError: There is no such commit.
    """
    if name == WORKING_TREE:
        return Tree(name, REPOSITORY)
    folder = work / 'trees' / name.replace('/', '_')
    folder.mkdir(parents=True, exist_ok=True)
    packed = subprocess.run(
        ['git', '-C', str(REPOSITORY), 'archive', name], check=False, capture_output=True
    )
    if packed.returncode:
        raise RuntimeError(f'{name} is no commit of this repository')
    subprocess.run(['tar', '-x', '-C', str(folder)], input=packed.stdout, check=True)
    return Tree(name, folder)


def check_imports(tree: Tree, work: Path) -> None:
    """Refuse to compare a version with itself.

    Raises:
        RuntimeError: Python imports another version than the one asked for.
    """
    code = 'import soliton_encirclement_ros; print(soliton_encirclement_ros.__file__)'
    imported = subprocess.run(
        [sys.executable, '-c', code], check=True, env=tree.environment(), cwd=work,
        capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    if not imported.startswith(f'{tree.path}{os.sep}'):
        raise RuntimeError(f'{tree.name}: Python imports {imported} in its place')


def compared(part: str, trees: Sequence[Tree], work: Path) -> tuple[int, list[str]]:
    """Let both versions do a part; return how many files were compared, and what differs."""
    outs = [work / 'out' / str(k) for k in range(len(trees))]
    given = work / 'bags'
    if part == 'bags' and not given.exists():
        choose_bags(trees[0], outs[0], given)
    for k, (tree, out) in enumerate(zip(trees, outs, strict=True)):
        began = time.monotonic()
        words = (str(out), 'old' if k == 0 else 'new', str(given), part)
        collect(tree, words)
        print(f'{part}: {tree.name} done in {time.monotonic() - began:.0f} s', file=sys.stderr)
    return differences(part, *(out / part for out in outs))


def choose_bags(tree: Tree, out: Path, given: Path) -> None:
    """Take five bags of an older version's nodes as what both versions report on."""
    if not (out / 'nodes').exists():
        collect(tree, (str(out), 'old', str(given), 'nodes'))
    for run in sorted((out / 'nodes').glob('*/2*/bag'))[:BAGS]:
        shutil.copytree(run, given / run.parent.parent.name)


def collect(tree: Tree, words: Sequence[str]) -> None:
    """Let a version do a part."""
    program = REPOSITORY / 'bench' / 'oracle_parts' / 'collect.py'
    done = subprocess.run(
        [sys.executable, str(program), *words], check=False, env=tree.environment(),
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f'error: {tree.name}: {words[-1]}: {done.stderr.strip()[-600:]}')


def tables(folder: Path) -> dict[str, Path]:
    """Return the files to compare by what they are called, without the time in a run's folder."""
    files = {}
    for path in sorted(folder.rglob('*')):
        if path.suffix in COMPARED or path.name == 'findings.json':
            parts = path.relative_to(folder).parts
            if 'bag' not in parts and path.name not in ADDED:
                files['/'.join((parts[0], parts[-1]) if len(parts) > 1 else parts)] = path
    return files


def differences(part: str, old: Path, new: Path) -> tuple[int, list[str]]:
    """Return how many files there are, and the first difference of each that differs."""
    before, after = tables(old), tables(new)
    lines = [f'{name}: only in one version' for name in sorted(before.keys() ^ after.keys())]
    for name in sorted(before.keys() & after.keys()):
        if before[name].suffix == '.json':
            lines += first_json(name, before[name], after[name])
        elif before[name].read_bytes() != after[name].read_bytes():
            lines.append(f'{name}: {first_difference(before[name], after[name])}')
    return len(before.keys() & after.keys()), lines


def first_difference(old: Path, new: Path) -> str:
    """Return the first place where two tables differ, in words."""
    with old.open(newline='') as a, new.open(newline='') as b:
        rows, others = csv.reader(a), csv.reader(b)
        head, other_head = (
            [RENAMED.get(name, name) for name in next(table, [])] for table in (rows, others)
        )
        if head != other_head:
            return f'columns differ: {sorted({*head} ^ {*other_head}) or "in order"}'
        places = [k for k, name in enumerate(head) if name in PLACES]
        for number, (row, other) in enumerate(zip_longest(rows, others), 1):
            if row is None or other is None:
                return f'row {number}: only in one version'
            for k, (x, y) in enumerate(zip_longest(row, other)):
                if x != y:
                    who = [f'{head[i]} {row[i]}' for i in places]
                    return ', '.join((*who, f'{head[k]}: {x}, {y}'))
    return 'nothing but the names of columns'


def first_json(name: str, old: Path, new: Path) -> list[str]:
    """Return the first difference of two JSON files, none if there is none."""
    import json

    pairs = zip_longest(leaves(json.loads(old.read_text())), leaves(json.loads(new.read_text())))
    return next(([f'{name}: {a}, {b}'] for a, b in pairs if a != b), [])


def leaves(value: object, place: str = '') -> Iterator[tuple[str, object]]:
    """Yield the values in a JSON document with their places, but not those of one run alone."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in VOLATILE | ADDED:
                yield from leaves(inner, f'{place}.{RENAMED.get(key, key)}')
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from leaves(inner, f'{place}[{k}]')
    else:
        yield place, repr(value)


def verdict(differences: Sequence[str]) -> str:
    """Return whether all are equal, in words."""
    return f'{len(differences)} DIFFER' if differences else 'all equal'


def print_speeds(trees: Sequence[Tree], work: Path, rounds: int) -> None:
    """Measure both versions in turns, and print medians and their ratio."""
    from oracle_parts.speeds import SPEEDS

    names = [tree.name for tree in trees]
    print(f'speed, median of {rounds}: {names[0]}, {names[1]}, ratio')
    for speed in SPEEDS:
        taken: list[list[float]] = [[], []]
        for _ in range(rounds):
            for tree, values in zip(trees, taken, strict=True):
                values.append(speed.measure(tree.environment(), work))
        old, new = map(statistics.median, taken)
        print(f'  {speed.name:44} {old:10.3f} {new:10.3f} {new / old:6.2f}', flush=True)


if __name__ == '__main__':
    sys.exit(main())
