"""Who may import whom: the table of the architecture, held by walking every import."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

VELOCITY, SOLITON = 'velocity_mobility_ros', 'soliton_encirclement_ros'
COMPILATION = f'{SOLITON}.sim.compilation'
LAUNCHING = f'{SOLITON}/launching'

LEVELS = {
    f'{VELOCITY}.core': 0,
    f'{VELOCITY}.vehicles': 1,
    f'{VELOCITY}.autopilot': 1,
    f'{VELOCITY}.ros_io': 2,
    f'{SOLITON}.core': 2,
    f'{SOLITON}.controllers': 3,
    f'{SOLITON}.propagation': 3,
    f'{SOLITON}.estimators': 3,
    f'{SOLITON}.safety': 3,
    f'{SOLITON}.swarm': 4,
    f'{SOLITON}.members': 4.5,
    f'{SOLITON}.sim': 5,
    f'{SOLITON}.analysis': 5,
    f'{VELOCITY}.nodes': 5,
    f'{SOLITON}.nodes': 5,
    f'{SOLITON}.experiments': 5.5,
    f'{SOLITON}.cli': 6,
    f'{SOLITON}.launching': 6,
    f'{SOLITON}.learning': 6,
    f'{SOLITON}.api': 7,
}
"""Every room and its level; a room imports itself and lower levels, never a sibling."""

CORE_LEVELS = {
    'errors': 0,
    'named_rows': 0,
    'fences': 1,
    'files': 1,
    'states': 1,
    'emergency_stop': 1,
    'ring': 2,
    'parameters': 2,
    'schedules': 2,
    'bag_writer': 2,
    'member_paths': 3,
    'laws': 3,
    'radio_loss_and_delay': 3,
    'stability': 3,
    'estimation': 4,
    'byzantine_agents': 4,
    'radio_delivery': 5,
    'flight_statistics': 5,
    'scenario': 5,
    'run': 6,
}
"""Rooms and files of the upper core and their levels: the same rule again, one floor below."""

ROS_ROOMS = (
    f'{VELOCITY}.ros_io', f'{VELOCITY}.nodes', f'{SOLITON}.nodes', f'{SOLITON}.cli',
    f'{SOLITON}.launching',
)  # fmt: skip

PURE_ROOMS = [room for room in LEVELS if room not in ROS_ROOMS]

LAZY_NAMES = f'{VELOCITY}.core.lazy_names'

CONTRACTS = {
    (SOLITON, f'{VELOCITY}.core.plugins'),
    (SOLITON, LAZY_NAMES),
    (VELOCITY, LAZY_NAMES),
    (f'{SOLITON}.controllers', f'{SOLITON}.propagation'),
    (f'{SOLITON}.controllers', f'{SOLITON}.propagation.layer'),
    (f'{SOLITON}.nodes', f'{SOLITON}.sim.compilation.compiled_motion'),
    (f'{SOLITON}.nodes', f'{SOLITON}.sim.compilation.compiled_motion'),
}
"""The imports beside the table: packages import their public names later, one announces the rooms
in which laws come along, controllers use the layers' shop window and their contract, the nodes
step vehicles and leaders on paths by machine code."""

BY_NAME = {f'{SOLITON}.core', f'{SOLITON}.core.run.run_folder'}
"""Modules of the core that import by name: names of its own, and versions."""

OUTSIDERS = {
    'rosbags': (
        f'{SOLITON}.analysis.bag',
        f'{SOLITON}.core.bag_writer',
        f'{SOLITON}.core.member_paths',
    ),
    'mcap': (f'{SOLITON}.analysis.bag.storage',),
    'matplotlib': (
        f'{SOLITON}.analysis.plots',
        f'{SOLITON}.analysis.report',
        f'{SOLITON}.experiments.sweep_plots',
    ),
    'orjson': (f'{SOLITON}.sim.sinks.',),
    'plotly': (f'{SOLITON}.analysis.report',),
    'scipy': (f'{SOLITON}.analysis.fit', f'{SOLITON}.experiments.paired_statistics'),
    'threadpoolctl': (f'{SOLITON}.analysis.fit',),
    'pymap3d': (f'{VELOCITY}.autopilot.swarm_frame',),
    'pandas': (
        f'{SOLITON}.analysis.',
        f'{SOLITON}.experiments.',
        f'{SOLITON}.cli.runs.sweep_output',
        f'{SOLITON}.api.',
    ),
    'pymavlink': (
        f'{SOLITON}.analysis.logs.dataflash_log', f'{SOLITON}.analysis.logs.mavlink_log',
    ),
    'pyulog': (f'{SOLITON}.analysis.logs.ulog_file',),
    'pyarrow': (f'{SOLITON}.analysis.', f'{SOLITON}.sim.'),
    'dask': (f'{SOLITON}.experiments.cluster',),
    'distributed': (f'{SOLITON}.experiments.cluster',),
    'foxglove': (f'{SOLITON}.cli.streams',),
    'gymnasium': (f'{SOLITON}.learning.',),
    'pettingzoo': (f'{SOLITON}.learning.',),
    'rerun': (f'{SOLITON}.cli.streams.rerun_sink',),
    'starlette': (f'{SOLITON}.cli.live',),
    'uvicorn': (f'{SOLITON}.cli.live',),
    'torch': (f'{VELOCITY}.vehicles.batched.array_namespace',),
}
"""Libraries that belong to one place: what the importing module's name must begin with."""


class Import(NamedTuple):
    """One import: the module that imports, what it imports, and the line."""

    module: str
    target: str
    line: int


def modules(root: Path) -> dict[str, Path]:
    """Return every module of both packages by dotted name."""
    found = {}
    for package in (VELOCITY, SOLITON):
        for path in sorted((root / package).rglob('*.py')):
            parts = path.relative_to(root).with_suffix('').parts
            found['.'.join(parts[:-1] if parts[-1] == '__init__' else parts)] = path
    return found


def imports(root: Path) -> list[Import]:
    """Return every import of both packages, those inside functions and conditions included."""
    known = modules(root)
    return [
        Import(name, target, node.lineno)
        for name, path in known.items()
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8')))
        for target in targets(node, name, path.stem == '__init__', known)
    ]


def targets(node: ast.AST, module: str, is_package: bool, known: dict[str, Path]) -> Iterator[str]:
    """Iterate over the modules that a node imports, by absolute name."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ''
        if node.level:
            up = module.split('.')[: len(module.split('.')) - node.level + is_package]
            base = '.'.join([*up, base] if base else up)
        for alias in node.names:
            inner = f'{base}.{alias.name}'
            yield inner if inner in known else base


def room_of(module: str) -> str:
    """Return package and room of a module; a package itself is its own room."""
    return '.'.join(module.split('.')[:2])


def is_ros(target: str) -> bool:
    """Say whether a library is ROS: rclpy, messages, services, tf2."""
    top = target.split('.')[0]
    return top.endswith(('_msgs', '_srvs', '_interfaces')) or top.startswith(
        ('rclpy', 'rosidl', 'tf2_', 'rosgraph', 'launch')
    )


def is_inside(module: str, prefixes: tuple[str, ...]) -> bool:
    """Say whether a module's name begins with one of these, up to a part of a name."""
    return any(module.startswith(prefix) for prefix in prefixes)


def refusal(one: Import) -> str | None:
    """Return the rule that an import breaks, or None."""
    top = one.target.split('.')[0]
    if top in (VELOCITY, SOLITON):
        return refused_room(one)
    if is_ros(one.target) and not is_inside(one.module, ROS_ROOMS):
        return 'ROS only in ros_io, nodes and cli'
    if top in OUTSIDERS and not is_inside(one.module, OUTSIDERS[top]):
        return f'{top} only in ' + ', '.join(f'{prefix}*' for prefix in OUTSIDERS[top])
    return None


def refused_room(one: Import) -> str | None:
    """Return the rule that an import between our own modules breaks, or None."""
    source, target = room_of(one.module), room_of(one.target)
    if source == target == f'{SOLITON}.core':
        return refused_core_room(one)
    if source.startswith(VELOCITY) and target.startswith(SOLITON):
        return 'the lower package never imports the upper one'
    if source == target or target in (VELOCITY, SOLITON) or (source, one.target) in CONTRACTS:
        return None
    if source in (VELOCITY, SOLITON):
        return 'a package imports none of its rooms'
    missing = [room for room in (source, target) if room not in LEVELS]
    if missing:
        return f'{missing[0]} is not in the table of levels'
    if LEVELS[source] <= LEVELS[target]:
        return f'level {LEVELS[source]} never imports level {LEVELS[target]}'
    return None


def refused_core_room(one: Import) -> str | None:
    """Return the rule that an import between rooms of the upper core breaks, or None."""
    source, target = (f'{name}.'.split('.')[2] for name in (one.module, one.target))
    if source == target or not source or not target:
        return None
    missing = [room for room in (source, target) if room not in CORE_LEVELS]
    if missing:
        return f'core.{missing[0]} is not in the table of levels'
    if CORE_LEVELS[source] <= CORE_LEVELS[target]:
        return f'core.{source} never imports core.{target}'
    return None


def violations(root: Path) -> list[str]:
    """Return one line for every import that breaks a rule."""
    found = imports(root)
    lines = [
        f'{one.module}:{one.line} imports {one.target}: {rule}'
        for one in found
        if (rule := refusal(one))
    ]
    users = sorted({one.module for one in found if one.target.split('.')[0] == 'numba'})
    if others := [user for user in users if not user.startswith(f'{COMPILATION}.')]:
        lines.append(f'numba only in {COMPILATION}, not in ' + ', '.join(others))
    return lines


def cycles(root: Path) -> list[str]:
    """Return the import cycles between modules, each as ``a > b > a``."""
    known = modules(root)
    graph: dict[str, set[str]] = {name: set() for name in known}
    for one in imports(root):
        if one.target in known and one.target != one.module:
            graph[one.module].add(one.target)
    found: list[str] = []
    done: set[str] = set()
    for name in graph:
        walk(name, graph, [], done, found)
    return found


def walk(
    name: str, graph: dict[str, set[str]], path: list[str], done: set[str], found: list[str]
) -> None:
    """Follow imports depth first; note every way that leads back onto itself."""
    if name in path:
        found.append(' > '.join([*path[path.index(name) :], name]))
    elif name not in done:
        for target in sorted(graph[name]):
            walk(target, graph, [*path, name], done, found)
        done.add(name)


def test_levels_and_libraries(repository: Path) -> None:
    """No import breaks the table."""
    assert violations(repository) == []


def test_no_cycles(repository: Path) -> None:
    """The graph of modules has no loops, not even for type hints."""
    assert cycles(repository) == []


def test_the_core_loads_nothing_by_a_name_in_a_text(repository: Path) -> None:
    """Such an import would be one of a room above that the table does not see."""
    by_name = 'importlib', LAZY_NAMES
    found = [one for one in imports(repository) if one.target.startswith(by_name)]
    assert {one.module for one in found if one.module.startswith(f'{SOLITON}.core')} == BY_NAME


@pytest.mark.parametrize('first', [
    'controllers', 'propagation', 'estimators', 'core.laws.law_registry', 'core.scenario.scenario',
])  # fmt: skip
def test_whatever_comes_first_finds_what_comes_along(repository: Path, first: str) -> None:
    """Rooms that are announced do not need a scenario, which needs them."""
    lines = [
        'import sys',
        f'import {SOLITON}.{first}',
        f'needs_scenario = "{SOLITON}.core.scenario.scenario" in sys.modules',
        f'from {SOLITON}.core.estimation.estimator import ESTIMATORS',
        f'from {SOLITON}.core.laws.law_registry import LAWS, LAYERS',
        'found = LAWS.load("splay"), LAYERS.load("wave"), ESTIMATORS.load("deghat")',
        'print(needs_scenario, *(type(one).__name__ for one in found))',
    ]
    command = [sys.executable, '-c', '\n'.join(lines)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f'{"scenario" in first}', 'Law', 'Layer', 'Estimator']



def test_every_room_has_a_shop_window(repository: Path) -> None:
    """Every folder with modules has an ``__init__`` with a docstring."""
    for name, path in modules(repository).items():
        window = path.parent / '__init__.py'
        assert window.is_file(), f'{name} stands in a folder without __init__'
        assert ast.get_docstring(ast.parse(window.read_text(encoding='utf-8'))), window


def test_launch_files_import_only_the_soliton_core(repository: Path) -> None:
    """Launch files start executables by name and import only what makes the swarm plan.

    So does what they share; only it needs launch.
    """
    files = [*(repository / 'launch').glob('*.py'), *(repository / LAUNCHING).glob('*.py')]
    assert len(files) > 8
    for path in sorted(files):
        tree = ast.parse(path.read_text(encoding='utf-8'))
        found = {target for node in ast.walk(tree) for target in targets(node, 'x', False, {})}
        ours = {room_of(target) for target in found if target.startswith((VELOCITY, SOLITON))}
        allowed = {f'{SOLITON}.launching', f'{SOLITON}.core', f'{VELOCITY}.core'}
        assert ours <= allowed | {SOLITON, VELOCITY}, path.name


def test_only_launching_needs_launch(repository: Path) -> None:
    """It comes with a ROS 2 installation alone; everything else works without."""
    found = [one for one in imports(repository) if one.target.split('.')[0].startswith('launch')]
    assert found
    assert {room_of(one.module) for one in found} == {f'{SOLITON}.launching'}


PLANTED = [
    (f'{VELOCITY}/core/x.py', f'import {SOLITON}.core.ring', 'the lower package never'),
    (f'{VELOCITY}/core/x.py', 'from ..vehicles import Vehicle', 'level 0 never imports level 1'),
    (f'{VELOCITY}/core/x.py', 'def f():\n    import rclpy', 'ROS only in'),
    (f'{VELOCITY}/__init__.py', f'import {VELOCITY}.nodes', 'a package imports none of its rooms'),
    (f'{SOLITON}/core/x.py', 'from std_srvs.srv import Trigger', 'ROS only in'),
    (f'{SOLITON}/controllers/x.py', f'import {SOLITON}.propagation.kdv', 'level 3 never imports'),
    (f'{SOLITON}/nodes/x.py', f'import {VELOCITY}.nodes.y', 'level 5 never imports level 5'),
    (f'{SOLITON}/core/states/x.py', f'import {SOLITON}.core.run.world', 'core.states never'),
    (f'{SOLITON}/core/odd/x.py', f'import {SOLITON}.core.ring', 'core.odd is not in the'),
    (f'{SOLITON}/utils/x.py', f'import {SOLITON}.core', 'utils is not in the table'),
    (f'{SOLITON}/core/x.py', 'def f():\n    import pyarrow.parquet', 'pyarrow only in'),
    (f'{SOLITON}/nodes/x.py', 'import numba', f'numba only in {COMPILATION}'),
]


@pytest.mark.parametrize(('file', 'source', 'rule'), PLANTED)
def test_a_planted_violation_is_found(tmp_path: Path, file: str, source: str, rule: str) -> None:
    """The guard sees what it has to see, in functions and relative imports too."""
    plant(tmp_path, {file: source, f'{VELOCITY}/vehicles/__init__.py': '"""Vehicles."""'})
    found = violations(tmp_path)
    assert len(found) == 1 and rule in found[0]


@pytest.mark.parametrize(
    ('file', 'source'),
    [
        (f'{SOLITON}/core/x.py', f'from {VELOCITY}.core import step\nfrom . import y'),
        (f'{SOLITON}/controllers/x.py', f'from {SOLITON}.propagation.layer import Layer'),
        (f'{SOLITON}/experiments/cluster.py', 'import dask, distributed'),
        (f'{SOLITON}/cli/run.py', f'import rclpy, {SOLITON}.nodes.x, {VELOCITY}.nodes.y'),
        (f'{SOLITON}/sim/compilation/compiled.py', 'import numba, numpy, math'),
    ],
)
def test_what_is_allowed_is_not_found(tmp_path: Path, file: str, source: str) -> None:
    """The guard does not bark at friends."""
    plant(tmp_path, {file: source})
    assert violations(tmp_path) == []


def test_a_planted_cycle_is_found(tmp_path: Path) -> None:
    """Two modules that know each other, one only for its type hints."""
    hint = f'if TYPE_CHECKING:\n    from {SOLITON}.core.a import A'
    plant(
        tmp_path,
        {f'{SOLITON}/core/a.py': f'from {SOLITON}.core import b', f'{SOLITON}/core/b.py': hint},
    )
    assert cycles(tmp_path) == [f'{SOLITON}.core.a > {SOLITON}.core.b > {SOLITON}.core.a']


def plant(root: Path, files: dict[str, str]) -> None:
    """Write source files into an empty tree."""
    for name, source in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding='utf-8')


def fresh_import(root: Path, names: list[str]) -> subprocess.CompletedProcess[str]:
    """Import modules in a fresh interpreter; it fails if that brought rclpy in."""
    lines = [
        'import importlib, sys',
        f'for name in {names!r}: importlib.import_module(name)',
        'leaks = sorted(m for m in sys.modules if m.split(".")[0] == "rclpy")',
        'sys.exit(f"rclpy came in: {leaks[:3]}" if leaks else 0)',
    ]
    command = [sys.executable, '-c', '\n'.join(lines)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_pure_rooms_load_without_rclpy(repository: Path) -> None:
    """Everything in pure rooms can be imported in a fresh interpreter and brings no ROS in."""
    names = [name for name in modules(repository) if room_of(name) in PURE_ROOMS]
    done = fresh_import(repository, names)
    assert done.returncode == 0, done.stderr


def test_a_planted_leak_of_rclpy_is_found(tmp_path: Path) -> None:
    """An ``__init__`` that pulls rclpy in is caught."""
    plant(tmp_path, {'rclpy.py': '', 'room/__init__.py': 'import rclpy', 'room/pure.py': ''})
    done = fresh_import(tmp_path, ['room.pure'])
    assert done.returncode == 1
    assert "rclpy came in: ['rclpy']" in done.stderr
