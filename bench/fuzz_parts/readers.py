"""Readers of settings and texts, each with sound examples and the errors it may raise."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from fuzz_parts.reader import REPOSITORY, SCRATCH, Reader, file_writer
from fuzz_parts.recording_readers import RECORDING_READERS

CONFIG = REPOSITORY / 'config'


def _files(*patterns: str) -> list[bytes]:
    paths = [path for pattern in patterns for path in sorted(CONFIG.glob(pattern))]
    return [path.read_bytes() for path in paths]


def _text(data: bytes) -> str:
    return data.decode('utf-8', 'surrogateescape')


def _scenario() -> Reader:
    from soliton_encirclement_ros.core.errors import ScenarioError
    from soliton_encirclement_ros.core.scenario.scenario import full_text, load_scenario

    write = file_writer('scenario.yaml')

    def read(data: bytes) -> None:
        scenario = load_scenario(write(data))
        list(scenario.warnings)
        full_text(scenario)

    return Reader(read, (ScenarioError,), _files('scenarios/*.yaml'))


def _vehicle() -> Reader:
    from soliton_encirclement_ros.core.errors import ScenarioError
    from soliton_encirclement_ros.core.scenario.vehicle_file import as_text, read_vehicle

    write = file_writer('vehicle.yaml')
    return Reader(
        lambda data: as_text(read_vehicle(write(data))), (ScenarioError,),
        _files('vehicles/*.yaml'),
    )  # fmt: skip


def _sweep() -> Reader:
    from soliton_encirclement_ros.core.errors import ScenarioError
    from soliton_encirclement_ros.experiments.sweep_file import load_sweep

    write = file_writer('sweep.yaml')
    return Reader(
        lambda data: load_sweep(write(data), 'code'), (ScenarioError,),
        _files('sweeps/quick.yaml', 'sweeps/laws.yaml', 'sweeps/laws/*.yaml'),
    )  # fmt: skip


def _paths() -> Reader:
    from velocity_mobility_ros.core.trajectory.path_files import PathError, read_path

    writes = [file_writer('path.csv'), file_writer('path.yaml')]
    yaml = b'closed: true\nrelative: true\nvertices:\n- {x: 0, y: 1, z: 2, t: 3}\n- [4, 5, 6]\n'
    seeds = [b'c' + one for one in _files('paths/*.csv')] + [b'y' + yaml]
    return Reader(
        lambda data: read_path(writes[data[:1] == b'y'](data[1:])).polyline(1.0), (PathError,),
        seeds,
    )  # fmt: skip


def _places() -> Reader:
    from soliton_encirclement_ros.cli.fly.gate import find_misplaced, places_of_others, read_places
    from velocity_mobility_ros.core.user_errors import MobilityError

    writes = [file_writer('places.csv'), file_writer('places.yaml')]

    def read(data: bytes) -> None:
        path = writes[data[:1] == b'y'](data[1:])
        places = read_places(path)
        find_misplaced(places, {'uav_1': (0.0, 4.0), 'uav_2': (1.0, 0.0)})
        places_of_others(path, places, ['uav_1'])

    table, mapping = b'name,east,north\nuav_1,0.0,4.0\nuav_2,-4,0\n', b'uav_1: [0.0, 4.0]\n'
    seeds = [b'c' + table, b'y' + mapping]
    return Reader(read, (MobilityError,), seeds)


def _map() -> Reader:
    from soliton_encirclement_ros.analysis.bag.topic_map import load_topic_map
    from soliton_encirclement_ros.core.errors import RunError

    write = file_writer('names.yaml')
    seed = (
        b'agents:\n  uav_1: {odom: /drone7/odometry, cmd_vel: /d/cmd, cmd_vel_frame: base_link}\n'
        b'  uav_2: {odom: /tf:cf1, telemetry: /t, ground_truth: /g}\ntarget: {odom: /truck/odom}\n'
    )
    return Reader(lambda data: load_topic_map(write(data)), (RunError,), [seed])


def _launch() -> Reader:
    from soliton_encirclement_ros.core.scenario import launch_arguments as launch, part_plan
    from soliton_encirclement_ros.core.states.swarm_topics import named_fleet
    from velocity_mobility_ros.core.user_errors import MobilityError

    names = ('scenario', 'agents', 'controller', 'set', 'vehicle_file', 'autopilot_namespace',
             'vehicle', 'first_instance', 'namespace', 'px4')  # fmt: skip

    def read(data: bytes) -> None:
        given = dict.fromkeys(names, '') | dict(zip(names, _text(data).split('\n'), strict=False))
        fleet = named_fleet(given['namespace'], 'namespace')
        launch.namespace_parameter(given['vehicle'], given['autopilot_namespace'])
        launch.first_instance(given['first_instance'] or '1', 3)
        scenario = launch.launched_scenario({**given, 'scenario': given['scenario'] or 'demo'})
        launch.launch_warnings(scenario, given)
        part_plan.chosen_kinds({'px4': given['px4'] or '1'}, scenario)
        launch.refuse_undeclared('swarm.launch.py', _text(data).split(), [*names, str(fleet)])

    seeds = ('demo\n4\nsoliton\nrun.seed=3; swarm.encirclement_radius=9\npx4_x500\npx4_3\npx4\n0\n'
             '/fleet\n1,2', 'pair\n2\nsplay\n\n\nnone\nardupilot\n3\na/b\n1')  # fmt: skip
    return Reader(read, (MobilityError,), [seed.encode() for seed in seeds])


def _settings() -> Reader:
    from soliton_encirclement_ros.cli.operator.addressees import parse_addressees
    from soliton_encirclement_ros.cli.operator.parameter_verbs import read_value
    from soliton_encirclement_ros.core.scenario.overrides import (
        apply_changes, idle_settings, split_settings
    )
    from soliton_encirclement_ros.core.scenario.scenario import Scenario
    from velocity_mobility_ros.core.user_errors import MobilityError

    base = Scenario('fuzz')

    def read(data: bytes) -> None:
        text = _text(data)
        for setting in text.split('\n'):
            read_value(setting.partition('=')[2])
        settings = split_settings(text)
        idle_settings(apply_changes(base, settings, {}), settings)
        parse_addressees(text.split('\n'), 3)

    sections = base.as_dict()
    lines = [f'{section}.{key}={value}' for section, values in sections.items()
             if isinstance(values, dict) for key, value in values.items()]  # fmt: skip
    return Reader(read, (MobilityError,), [line.encode() for line in lines])


def _parameters() -> Reader:
    from soliton_encirclement_ros.cli.operator import parameter_verbs
    from soliton_encirclement_ros.core.errors import RunError

    write = file_writer('gains.yaml')
    owners = ['/uav_1/agent', '/uav_2/agent']
    seed = b'/**:\n  ros__parameters: {k_s: 1.5, f: {x: 1}}\n/uav_1/agent: {ros__parameters: {}}'
    return Reader(
        lambda data: parameter_verbs._parameters_in_file(write(data), owners), (RunError,), [seed]
    )


def _run_folder() -> Reader:
    """Manifest, summary and table of a run, parted by lines of =."""
    from soliton_encirclement_ros.core.errors import RunError, ScenarioError
    from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
    from soliton_encirclement_ros.core.run.finished_run import (
        read_command, read_run, read_samples, read_summary
    )
    from soliton_encirclement_ros.core.run.flown_scenario import flown_scenario
    from soliton_encirclement_ros.core.run.run_folder import MANIFEST, SUMMARY, TARGET_CSV
    from soliton_encirclement_ros.core.scenario.scenario import Scenario, scenario_of_run

    folder = Path(tempfile.mkdtemp(prefix='fuzz_', dir=SCRATCH))
    names, parting = (MANIFEST, SUMMARY, TARGET_CSV), b'\n====\n'

    def read(data: bytes) -> None:
        for name, part in zip(names, data.split(parting), strict=False):
            (folder / name).write_bytes(part)
        lines = []
        for look in (read_command, read_summary, flown_scenario, read_samples):
            try:
                look(folder)
            except RunError as error:
                lines.append(str(error))
        assert not any('\n' in line for line in lines), lines
        run = read_run(folder)
        _ = run.flaw, run.controller, run.seed
        scenario_of_run(run.scenario, MANIFEST)

    flown = Scenario('a').as_dict()
    manifest = json.dumps({'command': ['swarm'], 'created': 'x', 'scenario': flown})
    averages = dict.fromkeys(METRIC_NAMES, 0.1)
    summary = json.dumps({'metrics_mean': averages, 'interrupted': False, 'complete': True,
                          'verdict': {'encircled': True, 'why': 'x'}, 'ticks': 3})  # fmt: skip
    table = 'timestamp,' + ','.join(METRIC_NAMES) + '\n' + '0.1,1,2,3,4,5,6\n0.2,1,2,3,4,5,6\n'
    seed = parting.join(part.encode() for part in (manifest, summary, table))
    return Reader(read, (RunError, ScenarioError), [seed])


def _page() -> Reader:
    from soliton_encirclement_ros.cli.live.live_server import is_of_this_computer, read_order

    def read(data: bytes) -> None:
        text = data.decode('utf-8', 'replace')
        order = read_order(text)
        if order is not None:
            order.text.encode()
        is_of_this_computer(text)

    seeds = (
        '{"verb": "hold", "members": ["uav_1"], "values": []}', 'localhost:8765', '[::1]:80',
        '{"verb": "send target", "members": [], "values": [1.0, -2e3]}',
        '{"verb": "restart", "members": [], "values": [3, 7]}',
    )
    return Reader(read, (), [seed.encode() for seed in seeds])


def _ground() -> Reader:
    from velocity_mobility_ros.autopilot.ground_memory import of_text, to_text

    seed = (
        b'{"ground": 1.5, "z_jumps": 2, "armed_us": 5, "system_id": 1, "reference": null}'
    )
    return Reader(lambda data: to_text(of_text(_text(data))), (ValueError,), [seed])


READERS: dict[str, Callable[[], Reader]] = {
    **RECORDING_READERS, 'scenario': _scenario, 'vehicle': _vehicle, 'sweep': _sweep,
    'paths': _paths, 'places': _places, 'map': _map, 'launch': _launch, 'settings': _settings,
    'parameters': _parameters, 'run_folder': _run_folder, 'page': _page, 'ground': _ground,
}  # fmt: skip
