"""What a person sees while a swarm flies, a run or many, a bag is read, or a fit is made."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from soliton_encirclement_ros.cli.runs.batch_runs import BatchProgress
from soliton_encirclement_ros.cli.views import terminal_display
from soliton_encirclement_ros.cli.views.run_report import RunProgress, WorkProgress
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ros.bodies import agent, target

SCENARIO = Scenario('here').with_changes({'run': {'sim_duration': 30.0}}, 'test')

on_both = pytest.mark.parametrize('terminal', [True, False])


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [100.0]
    monkeypatch.setattr(terminal_display.time, 'monotonic', lambda: now[0])
    return now


@pytest.fixture
def observer():
    """Return an observer that has seen nothing."""
    return Observer(SCENARIO.swarm)


def see(observer, time, failed=False):
    observer.see_telemetry(TelemetryRow(2, time, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), failed, ()))
    observer.see_agent(time, agent(1, int(time * 100), (30.0, 0.0, 0.0)))
    observer.see_target(time, target(int(time * 100)))


def view(observer, terminal, *more):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=160)
    return out, RunProgress(console, SCENARIO, observer, *more)


@on_both
def test_time_speed_metrics_and_who_is_down_or_stopped_are_shown(clock, observer, terminal):
    names = []
    out, shown = view(observer, terminal, None, str, lambda: names)
    with shown:
        see(observer, 1.0)
        shown.update()
        assert 'STOPPED' not in out.getvalue()
        names.append('all')
        clock[0] += 6.0
        see(observer, 13.0, failed=True)
        shown.update()
    text = ' '.join(out.getvalue().split())  # a terminal wraps the line
    for words in ('13.0 / 30 s', 'x2.0', 'uav_2, 8 silent: uav_3, uav_4, uav_5 and 5 more',
                  '1 of 10', 'STOPPED: all', '0:09 left', 'E_r', '0.500', 'E_vr', '0.000',
                  'rho', '1.000'):  # fmt: skip
        assert words in text


def test_without_an_end_no_time_is_left(clock, observer):
    out, shown = view(observer, False, lambda: float('inf'))
    with shown:
        see(observer, 10.0)
        shown.update()
        clock[0] += 5.0
        see(observer, 15.0)
        shown.update()
    assert '15.0 s' in out.getvalue() and 'left' not in out.getvalue()


@on_both
def test_nobody_has_no_metrics(clock, observer, terminal):
    out, shown = view(observer, terminal)
    with shown:
        observer.see_target(9.0, target(900))
        clock[0] += 6.0
        shown.update()
    assert '0 of 10' in out.getvalue()
    assert 'nan' not in out.getvalue()


@on_both
@pytest.mark.parametrize('missing', ['uav_3, uav_7 (12 of 14 there)', ''])
def test_who_is_waited_for_at_the_start_is_named(clock, observer, terminal, missing):
    out, shown = view(observer, terminal, None, lambda: missing)
    with shown:
        clock[0] += 6.0
        shown.update()
    assert f'waiting for {missing or "discovery of the nodes"}' in out.getvalue()


def test_the_silent_are_named(clock, observer):
    _, shown = view(observer, False)
    with shown:
        for k in (1, *SCENARIO.agent_ids[3:]):
            observer.see_agent(1.0, agent(k, 100, (30.0, 9.0 * k, 0.0)))
        observer.see_target(1.0, target(100))
        assert shown.line().endswith('alive: 8 of 10  down: 2 silent: uav_2, uav_3')


def test_an_agent_that_has_just_failed_is_not_alive(clock, observer):
    _, shown = view(observer, False)
    with shown:
        for k in SCENARIO.agent_ids[1:]:
            observer.see_agent(1.0, agent(k, 100, (30.0, 9.0 * k, 0.0)))
        see(observer, 1.0, failed=True)
        line = shown.line()
    assert line.endswith('alive: 9 of 10  down: uav_2')


def test_of_many_who_are_down_a_few_are_named(clock, observer):
    out, shown = view(observer, False)
    for k in range(1, 301):
        row = TelemetryRow(k, 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), k > 100, ())
        observer.see_telemetry(row)
    with shown:
        see(observer, 1.0)
        clock[0] += 6.0
        shown.update()
    assert 'uav_108 and 192 more' in out.getvalue()
    assert 'uav_109' not in out.getvalue()


def test_without_a_terminal_there_is_a_line_now_and_then(clock, observer):
    out, shown = view(observer, False)
    with shown:
        for i in range(100):
            see(observer, 0.1 * (i + 1))
            clock[0] += 0.11
            shown.update()
    assert out.getvalue().count('\n') == 2


def test_a_quiet_console_shows_nothing(clock, observer):
    out = io.StringIO()
    with RunProgress(Console(file=out, quiet=True), SCENARIO, observer) as shown:
        clock[0] += 6.0
        see(observer, 1.0)
        shown.update()
    assert out.getvalue() == ''


def test_the_terminal_gets_its_cursor_back(clock, observer):
    out, shown = view(observer, True)
    with pytest.raises(KeyError), shown:
        raise KeyError
    assert out.getvalue().rfind('\x1b[?25h') > out.getvalue().rfind('\x1b[?25l')


@pytest.mark.parametrize(
    ('seconds', 'text'), [(-3.0, '0:00'), (0.1, '0:01'), (61.0, '1:01'), (7322.0, '2:02:02')]
)
def test_durations_are_rounded_up(seconds, text):
    assert terminal_display.duration(seconds) == text


def test_a_target_that_falls_silent_is_told(clock, observer):
    out, shown = view(observer, False)
    with shown:
        for time in (1.0, 6.0, 6.0, 11.0):
            see(observer, time)
            clock[0] += 5.0
            shown.update()
    lines = out.getvalue().splitlines()
    silent = [line for line in lines if 'no new state of the target' in line]
    assert silent == ['   6.0 / 30 s  no new state of the target']
    assert len(lines) == 4


@on_both
@pytest.mark.parametrize(('ticks', 'left'), [(250, '3:00 left'), (0, '')])
def test_of_many_runs_share_and_time_left_are_shown(monkeypatch, terminal, ticks, left):
    now = [100.0]
    monkeypatch.setattr(terminal_display.time, 'monotonic', lambda: now[0])
    out = io.StringIO()
    batch = SimpleNamespace(ticks=0, total_ticks=1000, finished=0)
    console = Console(file=out, force_terminal=terminal, width=160)
    with BatchProgress(console, batch, 8) as progress:
        progress.update()
        now[0] += 60.0
        batch.ticks, batch.finished = ticks, 2
        progress.update()
    assert '2 of 8 runs' in out.getvalue() and f'{ticks // 10} %' in out.getvalue()
    assert left in out.getvalue() and ('left' in out.getvalue()) == bool(left)


@pytest.mark.parametrize(
    ('done', 'messages', 'words'),
    [(5, 3, 'reading a.mcap: 5 messages'), (5, 10, 'reading a.mcap: 5 messages of 10  0:0')],
)
def test_the_line_says_how_much_of_a_bag_is_read(done, messages, words):
    console = Console(file=io.StringIO(), width=200)
    shown = WorkProgress(console, 'reading a.mcap', 'messages')
    shown.note(done, messages)
    assert shown.line().startswith(words)
    assert (' of ' in shown.line()) == (messages == 10)
