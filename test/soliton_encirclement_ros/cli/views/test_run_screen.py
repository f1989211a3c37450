"""What a person sees of a run on a whole terminal."""

import math

import pytest

from soliton_encirclement_ros.cli.views import run_report
from soliton_encirclement_ros.cli.views.run_screen import LEAST_HEIGHT, LEAST_WIDTH, RunScreen
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ros.bodies import STILL, adversary, agent, target
from support.shown import ShownConsole

SCENARIO = Scenario('here').with_changes({'run': {'sim_duration': 30.0}}, 'test')
AGENTS = SCENARIO.run.num_agents
BARS = set('▁▂▃▄▅▆▇█')


class Shown:
    """A run on an emulated terminal, with a clock that is turned by hand."""

    def __init__(self, clock, columns=80, lines=24, scenario=SCENARIO, **more):
        """Begin to show nothing."""
        self.clock = clock
        self.console = ShownConsole(columns, lines, more.pop('encoding', 'utf-8'))
        self.observer = Observer(scenario.swarm)
        self.warnings, self.said = [], []
        self.screen = RunScreen(
            self.console, scenario, self.observer, warnings=lambda: self.warnings,
            said=lambda: self.said, **more,
        )  # fmt: skip
        self.agents = scenario.agent_ids

    def fly(self, time, down=(), silent=()):
        """Let a ring be seen at a time, and show it."""
        radius = SCENARIO.swarm.encirclement_radius
        for k in self.agents:
            angle = 2.0 * math.pi * k / len(self.agents)
            place = radius * math.cos(angle), radius * math.sin(angle), 0.0
            if k in silent:
                continue
            self.observer.see_telemetry(TelemetryRow(k, time, place, STILL, k in down, ()))
            if k not in down:
                self.observer.see_agent(time, agent(k, int(time * 100), place))
        self.observer.adversary = adversary(int(time * 100))
        self.observer.see_target(time, target(int(time * 100)))
        return self.lines()

    def lines(self):
        """Return what is shown after some time."""
        self.clock[0] += 1.0
        with self.screen:
            self.screen.update()
            return self.console.lines()


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [100.0]
    monkeypatch.setattr(run_report.time, 'monotonic', lambda: now[0])
    return now


@pytest.mark.parametrize('size', [(80, 24), (LEAST_WIDTH, LEAST_HEIGHT), (120, 40), (200, 60)])
def test_the_swarm_its_metrics_and_who_is_down_are_seen(clock, size):
    shown = Shown(clock, *size)
    shown.fly(1.0)
    lines = shown.fly(13.0, down=(3,))
    text = '\n'.join(lines)
    assert len(lines) <= size[1]
    assert lines[0].startswith('here   13.0 / 30 s   x12.0 real time   0:02 left')
    for words in ('E_r      0.000', 'E_gap', 'last 60 s', 'worst', '9 of 10', 'down    uav_3',
                  '13.0 s  uav_3 down'):  # fmt: skip
        assert words in text
    for k in shown.agents:
        assert (f'x{k}' if k == 3 else f'{k}') in text
    assert ' T ' in text and 'A ' in text
    assert sum(bool(BARS & set(line)) for line in lines) == 5


def test_a_small_terminal_shows_one_line(clock):
    for size in ((LEAST_WIDTH - 1, 24), (80, LEAST_HEIGHT - 1), (30, 5)):
        lines = Shown(clock, *size).fly(13.0, down=(3,))
        assert len(lines) == 1
        assert lines[0].startswith('13.0 / 30 s  x')
        assert len(lines[0]) <= size[0]


def test_a_terminal_of_ascii_gets_ascii(clock):
    for size in ((80, 24), (50, 24)):
        shown = Shown(clock, *size, encoding='ascii')
        shown.warnings = ['w' * 100]
        assert all('x' in ''.join(lines) for lines in [shown.fly(13.0, down=(3,))])


@pytest.mark.parametrize('is_coloured', [True, False])
def test_colours_are_left_out_where_they_are_not_wanted(clock, monkeypatch, is_coloured):
    monkeypatch.setenv('TERM', 'xterm-256color')
    monkeypatch.delenv('NO_COLOR', raising=False)
    if not is_coloured:
        monkeypatch.setenv('NO_COLOR', '1')
    shown = Shown(clock)
    shown.fly(13.0, down=(3,))
    cells = [cell for row in shown.console.screen.buffer.values() for cell in row.values()]
    assert any(cell.fg != 'default' for cell in cells) == is_coloured


def test_before_the_run_it_says_who_is_waited_for(clock):
    shown = Shown(clock, waiting_for=lambda: 'uav_3 (13 of 14 there)')
    assert 'waiting for uav_3 (13 of 14 there)' in shown.lines()[0]


def test_a_warning_stays_with_its_last_text_and_begins_once(clock):
    shown = Shown(clock)
    shown.fly(1.0)
    for time, age in ((2.0, '0.1'), (3.0, '1.1')):
        shown.warnings = [f'two agents nearer than 1 m {age} s ago', 'silent: uav_3']
        shown.fly(time)
    shown.warnings = []
    lines = shown.fly(4.0)
    assert [line for line in lines if 'nearer' in line] == [
        '   2.0 s  two agents nearer than 1 m 1.1 s ago'
    ]
    assert not any('silent: ' in line for line in lines)


def test_the_last_events_are_shown_and_what_was_said_on_stderr(clock):
    shown = Shown(clock)
    shown.said = ['live page: http://localhost:8765/', '', '[WARN] [1.5] [monitor]: is late']
    for k in shown.agents:
        lines = shown.fly(float(k), down=(k,))
    assert lines[-4:] == [
        'live page: http://localhost:8765/', 'monitor: is late',
        '  10.0 s  uav_9 up again', '  10.0 s  uav_10 down',
    ]  # fmt: skip


def test_silent_agents_are_marked(clock):
    shown = Shown(clock)
    shown.fly(1.0)
    assert '?4' in '\n'.join(shown.fly(30.0, silent=(4,)))


def test_of_many_agents_each_is_one_character(clock):
    many = SCENARIO.with_changes({'run': {'num_agents': 60}}, 'test')
    lines = Shown(clock, scenario=many).fly(1.0, down=(3,))
    assert sum(line[:34].count('o') for line in lines[2:19]) > 30
    assert sum(line[:34].count('x') for line in lines[2:19]) == 1


@pytest.mark.parametrize('size', [(70, 20), (130, 45), (40, 10)])
def test_at_another_size_nothing_remains_of_the_one_before(clock, size):
    shown, anew = Shown(clock), Shown(clock, *size)
    shown.fly(1.0)
    shown.console.resize(*size)
    found = shown.fly(2.0)
    anew.fly(1.0)
    assert found == anew.fly(2.0)
