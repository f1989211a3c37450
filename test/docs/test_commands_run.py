"""What README.md and docs/ print runs as printed, in order, in one folder per page."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from soliton_encirclement_ros.core.scenario.user_files import read_yaml
from support.cli import Process
from support.here import Here, swarm_here
from support.pages import PAGES, REPOSITORY, Block, Command, blocks, commands_in
from support.reader_files import THINGS
from support.reader_folder import Desk, desk_in
from support.ready import agents_code, laws
from support.ros_domain import domain_of_its_own

__all__ = ['agents_code', 'laws', 'swarm_here']

pytestmark = [pytest.mark.ros, pytest.mark.timeout(400, func_only=True)]

NOT_TYPED = {
    '.venv/bin/pip': 'it would change the environment of the tests',
    '.venv/bin/python -m colcon': 'it needs a ROS installation',
    'MicroXRCEAgent': 'it comes with PX4',
    'cd': 'it belongs to a ROS workspace',
    'dask': 'a cluster',
    'export': 'settings of computers in a network: tests stay in their own domain',
    'fastdds': 'a server for several computers',
    'git clone': 'the network',
    'make': 'it sets up the environment that runs this test; make sim is swarm run demo',
    'mkdir': 'it belongs to a ROS workspace',
    'pip install': 'the network',
    'plotjuggler': 'a program with windows',
    'px4_bridge_node': 'it needs px4_msgs',
    'python bench/fuzz.py': 'it takes minutes; test_fuzz.py starts it',
    'python bench/oracle.py': 'it compares with other versions',
    'python3': 'it belongs to a ROS workspace',
    'ros2': 'it needs a ROS installation; test_documented_launches and others hold its arguments',
    'rosdep': 'it needs a ROS installation',
    'rviz2': 'a program with windows',
    'scp': 'the network',
    'sim_vehicle.py': 'it is ArduPilot',
    'source': 'tests run in the environment',
    'sudo': 'packages of the system',
    'swarm doctor': 'its exit code judges this computer',
    'swarm fly': 'it needs vehicles with autopilots',
    'swarm security (enclave|revoke)': 'it needs sros2, which comes with a ROS installation',
    'swarm sweep .* --scheduler': 'a cluster',
    'swarm .* tcp:': 'a cluster',
    'swarm view': 'it shows a swarm until ctrl-C; test_view and test_streamed_swarms start it',
    'touch': 'it belongs to a ROS workspace',
    'unset': 'as export',
    'PX4_HOME_LON': 'it is PX4',
}
"""Beginnings of commands that are not typed here, and why. What is `swarm` among them is parsed by
test_printed_commands."""

ROS_VERBS = 'doctor', 'fly', 'param', 'record', 'run', 'stop', 'topics'
"""Verbs that speak ROS, and run as processes here; so does `simulate --publish`."""

BESIDE = 'record', 'stop', 'param', 'topics'
"""Verbs that need a swarm in flight; there it is this one."""
IN_FLIGHT = 'swarm run demo --agents 3 --real-time-factor 1 --duration 3600 --no-bag'

SHORTER = {
    'python bench/liars.py --honest 0': '--seeds 1',
    'python bench/liars.py --seeds 0': '--honest 10',
    'swarm run .*--real-time': '--duration 2 --agents 4 --processes 1',
    'swarm run': '--duration 2 --agents 4',
    'swarm simulate .*--publish': '--duration 2 --no-pictures',
    'swarm simulate .*(--duration 600|--format bag)': '--duration 30',
    'swarm simulate .*--seeds': '--seeds 2 --duration 5',
    'swarm sweep (peers|published)': '--no-pictures',
    'swarm record .*--duration': '--duration 1',
}
"""Options of commands that take long, and what they are here; everything else stays as printed."""


def _has_a_bag(process: Process, files: set[Path]) -> bool:
    return any(file.suffix == '.mcap' and file.stat().st_size > 100_000 for file in files)


def _has_spoken(process: Process, files: set[Path]) -> bool:
    return bool(process.out + process.err)


def _flies(process: Process, files: set[Path]) -> bool:
    return any(file.name == 'agent_telemetry.csv' and file.stat().st_size > 10_000
               for file in files)  # fmt: skip


UNTIL_CTRL_C = {
    'swarm record(?!.*--duration)': _has_a_bag,
    'swarm topics (diagnostics|.*--rate)': _has_spoken,
}
"""Commands that go on until ctrl-C, and when they have begun."""

IN_ANOTHER_TERMINAL = {'(mobility|agent)_node': _has_spoken, 'swarm stop --hold': _has_spoken}
"""Commands that go on while the next ones are typed, and when they have begun."""

WRITTEN = {
    'docs/how_to/own_law.md': ('pursuit.py', 'middle.py', 'diffusion.py'),
    'docs/how_to/sweeps.md': ('without_dead_reckoning.py',),
}
"""Python blocks that are files of the reader's, by page, in order."""

HELD_ELSEWHERE = {
    'docs/research/batched.md': 'test_pages flies fewer bodies',
    'docs/reference/messages.md': 'test_messages_page runs both beside agents and with a bag',
    'docs/reference/names.md': 'launch comes with a ROS installation',
    'docs/how_to/swarm_by_hand.md': 'launch comes with a ROS installation',
}
"""Python blocks that are compiled only, and why."""

NEEDS_VEHICLES = 'takeoff('
"""In a block of Python that test_fleet runs beside vehicles."""

LEFT = {
    'README.md': ('runs/*/report.html', 'runs/*/findings.json', 'runs/*/overview.png'),
    'docs/reference/commands.md': (
        'flight_7-report/report.html', 'ours.yaml', 'runs/latest/bag', 'both.html',
    ),
    'docs/concepts/engine.md': ('runs/*/agents.parquet', 'runs/*/bag', 'target.parquet'),
    'docs/how_to/fit.md': ('runs/*/vehicle.yaml', 'runs/*/fit.png', 'quad.yaml'),
    'docs/how_to/logs.md': ('gaps.png', 'flight-report/report.html', 'flight-report/flight.kml'),
    'docs/how_to/python.md': ('flight.png', 'sweeps/radii/table.csv'),
    'docs/how_to/record.md': ('recordings/*/*.mcap', 'flight7-report/report.html'),
    'docs/how_to/report.md': (
        'runs/latest/report.html', 'runs/latest/metric_*.png', 'flight_7-report/overview.png',
        'flight_7-report/tables/agents.parquet', 'session-report/findings.json',
    ),
    'docs/how_to/simulate.md': (
        'sweeps/laws/table.csv', 'sweeps/laws/convergence.png', 'runs/*/report.html',
        'runs/*/findings.json', 'runs/*/overview.png', 'sweeps/published_study/table.parquet',
    ),
    'docs/how_to/sweeps.md': (
        'sweeps/laws/statistics.csv', 'sweeps/laws/paired.parquet', 'sweeps/laws/boxes.png',
        'sweeps/laws/heat_map.png', 'sweeps/gains/table.csv',
    ),
}  # fmt: skip
"""What pages say that their commands leave, beside what options such as ``--out`` name."""


def found_in(table: dict[str, Any], command: Command) -> Any:
    """Return the entry of a table for a command, or None."""
    line = ' '.join(command.words)
    return next((entry for start, entry in table.items() if re.match(f'{start}', line)), None)


def shortened(command: Command, folder: Path) -> tuple[Command, tuple[int, ...]]:
    """Return a command that takes less long, and its exit codes.

    So short a flight need not have encircled: that is exit code 1.
    """
    words, codes = [*command.words], (0,)
    for option in re.findall(r'--[^-]+(?:-pictures)?', found_in(SHORTER, command) or ''):
        name, *value = option.split()
        if name in words:
            words[words.index(name) + 1] = value[0]
        else:
            words += [name, *value]
        if name == '--duration' and words[1] != 'record':
            codes = 0, 1
    if words[:2] == ['swarm', 'sweep']:
        words[2] = short_file(words[2], folder)
    return command._replace(words=tuple(words)), codes


FEW_VALUES = 'control.controller', 'mobility.tau_xy', 'safety.separation_filter'
"""Parameters of which a short sweep keeps every value; of others it keeps two."""


def short_file(name: str, folder: Path) -> str:
    """Leave a sweep of short flights with few seeds under a name; return its path."""
    shipped = REPOSITORY / 'config' / 'sweeps' / f'{name}.yaml'
    content = read_yaml((shipped if shipped.exists() else folder / name).read_text())
    content.setdefault('changes', {}).setdefault('run', {})['sim_duration'] = 4.0
    if 'seeds' in content:
        content['seeds'] = 2
    for block in _blocks(content.get('design', [])):
        block.get('random', {}).update(samples=3)
        for key, values in block.get('grid', {}).items():
            block['grid'][key] = values if key in FEW_VALUES else values[:2]
    short = folder / 'short' / Path(name).with_suffix('.yaml').name
    short.parent.mkdir(exist_ok=True)
    short.write_text(yaml.safe_dump(content, sort_keys=False), encoding='utf-8')
    return str(short)


def _blocks(design: Any) -> list[dict[str, Any]]:
    """Return the blocks of a design, one or several."""
    return design if isinstance(design, list) else [design]


def test_what_is_not_typed_has_a_reason_that_is_needed() -> None:
    """No entry of a table is left from a command that no page prints any more."""
    lines = [' '.join(command.words) for page in PAGES for block in blocks(page, 'sh')
             for command in commands_in(block, page)]  # fmt: skip
    for table in (NOT_TYPED, SHORTER, UNTIL_CTRL_C, IN_ANOTHER_TERMINAL):
        unused = {start for start in table if not any(re.match(start, line) for line in lines)}
        assert unused == set()


class Page:
    """A page whose blocks are taken in order."""

    def __init__(self, page: str, folder: Path, desk: Desk) -> None:
        """Begin with the first one."""
        self._page, self._folder, self._desk = page, folder, desk
        self._files = [*WRITTEN.get(page, ())]
        self._is_in_flight = False

    def take(self, block: Block) -> None:
        """Type its commands, or run it."""
        if block.language == 'python':
            self._run(block)
            return
        for command in commands_in(block, self._page):
            if found_in(NOT_TYPED, command) is None:
                self._type(command)

    def _run(self, block: Block) -> None:
        code = compile(block.text, f'{self._page}:{block.line}', 'exec')
        if self._files:
            (self._folder / self._files.pop(0)).write_text(block.text, encoding='utf-8')
        elif self._page not in HELD_ELSEWHERE and NEEDS_VEHICLES not in block.text:
            exec(code, {'__name__': '__main__'})

    def _type(self, command: Command) -> None:
        if command.words[1] in BESIDE and not self._is_in_flight:
            self._desk.begin(Command('a swarm in flight', tuple(IN_FLIGHT.split())), _flies)
            self._is_in_flight = True
        self._desk.lay_out(command)
        shorter, codes = shortened(command, self._folder)
        has_begun = found_in(UNTIL_CTRL_C, command)
        if has_begun is not None:
            self._desk.interrupt(shorter, has_begun)
            self._desk.replace_recording(shorter)
        elif found_in(IN_ANOTHER_TERMINAL, command) is not None:
            self._desk.begin(shorter, found_in(IN_ANOTHER_TERMINAL, command))
        elif command.words[1] in ROS_VERBS or '--publish' in command.words:
            self._desk.run_as_process(shorter, codes)
        else:
            self._desk.run(shorter, codes)


def typed_pages() -> list[str]:
    """Return the pages on which something is typed or run."""
    return [
        page for page in PAGES
        if any(found_in(NOT_TYPED, command) is None for block in blocks(page, 'sh')
               for command in commands_in(block, page))
        or (blocks(page, 'python') and page not in HELD_ELSEWHERE)
    ]  # fmt: skip


LONG = ('docs/research/peers.md',)
"""Pages whose commands take half a minute of one core, shortened as they are; sweeps.md shows the
same verbs."""


@pytest.mark.parametrize('page', [
    pytest.param(page, marks=pytest.mark.nightly if page in LONG else ())
    for page in typed_pages()
])  # fmt: skip
def test_a_page_runs_in_order(page: str, tmp_path: Path, swarm_here: Here) -> None:
    """Everything that it prints, and what it promises is there in the end."""
    with domain_of_its_own() as domain, desk_in(tmp_path, domain, swarm_here, THINGS) as desk:
        if page == 'docs/how_to/sweeps.md':
            (tmp_path / 'my_sweep.yaml').write_text(blocks(page, 'yaml')[0].text)
        taken = Page(page, tmp_path, desk)
        for block in blocks(page, 'sh', 'python'):
            taken.take(block)
        missing = [name for name in LEFT.get(page, ()) if not any(tmp_path.glob(name))]
        assert missing == []


OF_NODES = '--publish', '--real-time', '--view', '--operate', '--stream', 'foxglove'
"""Options of a run over ROS."""


def whole_flight(command: Command) -> Command | None:
    """Return how a flight that is cut short here is flown to its end, in memory; None: another."""
    words = [word for word in command.words if word not in OF_NODES]
    is_cut = '--duration' in (found_in(SHORTER, command) or '')
    if not is_cut or words[1] not in ('run', 'simulate') or {'--external', '--seeds'} & {*words}:
        return None
    return command._replace(words=('swarm', 'simulate', *words[2:], '--no-pictures'))


@pytest.mark.parametrize('page', typed_pages())
def test_flights_of_a_page_encircle(page: str, tmp_path: Path, swarm_here: Here) -> None:
    """With exit code 0, whatever the length that the other test leaves them."""
    with desk_in(tmp_path, 0, swarm_here, THINGS) as desk:
        for name, block in zip(WRITTEN.get(page, ()), blocks(page, 'python'), strict=False):
            (tmp_path / name).write_text(block.text, encoding='utf-8')
        for block in blocks(page, 'sh'):
            for command in map(whole_flight, commands_in(block, page)):
                if command is not None:
                    desk.run(command)


@pytest.mark.parametrize('page', PAGES)
def test_python_on_a_page_is_whole(page: str) -> None:
    """It compiles; a fragment is `text`."""
    for block in blocks(page, 'python'):
        compile(block.text, f'{page}:{block.line}', 'exec')
