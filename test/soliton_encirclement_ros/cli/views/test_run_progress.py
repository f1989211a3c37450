"""What a person sees while a swarm flies."""

import io

import pytest
from rich.console import Console
from soliton_encirclement_ros.cli.views import run_progress
from soliton_encirclement_ros.cli.views.run_progress import Progress
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.ros.bodies import agent, target

SCENARIO = Scenario('here').with_changes({'run': {'sim_duration': 30.0}}, 'test')


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that tests turn by hand."""
    now = [100.0]
    monkeypatch.setattr(run_progress.time, 'monotonic', lambda: now[0])
    return now


@pytest.fixture
def observer():
    """Return an observer that has seen nothing."""
    return Observer(SCENARIO.swarm)


def see(observer, time, failed=False):
    observer.see_telemetry(TelemetryRow(2, time, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), failed, ()))
    observer.see_agent(time, agent(1, int(time * 100), (30.0, 0.0, 0.0)))
    observer.see_target(time, target(int(time * 100)))


def view(observer, terminal, length=None):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=160)
    return out, Progress(console, SCENARIO, observer, length)


@pytest.mark.parametrize('terminal', [True, False])
def test_time_speed_metrics_and_who_is_down_are_shown(clock, observer, terminal):
    out, shown = view(observer, terminal)
    with shown:
        see(observer, 1.0)
        shown.update()
        clock[0] += 6.0
        see(observer, 13.0, failed=True)
        shown.update()
    text = out.getvalue()
    assert '13.0 / 30 s' in text
    assert 'x2.0' in text
    assert 'uav_2' in text
    for name, value in (('E_r', '0.500'), ('E_vr', '0.000'), ('rho', '1.000')):
        assert name in text
        assert value in text


@pytest.mark.parametrize('terminal', [True, False])
def test_how_many_are_alive_is_shown_and_nobody_has_no_metrics(clock, observer, terminal):
    out, shown = view(observer, terminal)
    with shown:
        see(observer, 1.0)
        clock[0] += 6.0
        shown.update()
        assert '1 of 10' in out.getvalue()
        observer.see_target(9.0, target(900))
        clock[0] += 6.0
        shown.update()
    assert '0 of 10' in out.getvalue()
    assert 'nan' not in out.getvalue()


@pytest.mark.parametrize('terminal', [True, False])
def test_who_is_waited_for_at_the_start_is_named(clock, observer, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=160)
    missing = 'uav_3, uav_7 (12 of 14 there)'
    with Progress(console, SCENARIO, observer, None, lambda: missing) as shown:
        clock[0] += 6.0
        shown.update()
    assert f'waiting for {missing}' in out.getvalue()


@pytest.mark.parametrize('terminal', [True, False])
def test_of_many_who_are_down_a_few_are_named(clock, observer, terminal):
    out, shown = view(observer, terminal)
    for k in range(1, 301):
        row = TelemetryRow(k, 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), k > 100, ())
        observer.see_telemetry(row)
    with shown:
        see(observer, 1.0)
        clock[0] += 6.0
        shown.update()
    assert 'uav_101, uav_102' in out.getvalue()
    assert 'uav_108 and 192 more' in out.getvalue()
    assert 'uav_109' not in out.getvalue()


@pytest.mark.parametrize('terminal', [True, False])
def test_before_the_first_sample_it_says_what_it_waits_for(clock, observer, terminal):
    out, shown = view(observer, terminal)
    with shown:
        clock[0] += 6.0
        shown.update()
    assert 'waiting for discovery' in out.getvalue()


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
    with Progress(Console(file=out, quiet=True), SCENARIO, observer) as shown:
        clock[0] += 6.0
        see(observer, 1.0)
        shown.update()
    assert out.getvalue() == ''


def test_the_terminal_gets_its_cursor_back(clock, observer):
    out, shown = view(observer, True)
    with pytest.raises(KeyError), shown:
        raise KeyError
    assert out.getvalue().rfind('\x1b[?25h') > out.getvalue().rfind('\x1b[?25l')


@pytest.mark.parametrize('terminal', [True, False])
@pytest.mark.parametrize(
    ('length', 'shows', 'hides'),
    [(None, '0:15 left', '15.0 s'), (float('inf'), '15.0 s', 'left')],
    ids=['as the scenario says', 'without an end'],
)
def test_the_time_left_is_shown(clock, observer, terminal, length, shows, hides):
    out, shown = view(observer, terminal, length)
    with shown:
        see(observer, 10.0)
        shown.update()
        clock[0] += 5.0
        see(observer, 15.0)
        shown.update()
    assert shows in out.getvalue()
    assert hides not in out.getvalue()


@pytest.mark.parametrize(
    ('seconds', 'text'),
    [(0.0, '0:00'), (-3.0, '0:00'), (0.1, '0:01'), (61.0, '1:01'), (7322.0, '2:02:02')],
)
def test_durations_are_rounded_up(seconds, text):
    assert run_progress.duration(seconds) == text


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


@pytest.mark.parametrize('terminal', [True, False])
def test_who_is_stopped_by_an_operator_is_shown(clock, observer, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=160)
    names = []
    with Progress(console, SCENARIO, observer, None, str, lambda: names) as shown:
        see(observer, 1.0)
        shown.update()
        assert 'STOPPED' not in out.getvalue()
        names.append('all')
        clock[0] += 6.0
        see(observer, 13.0)
        shown.update()
    assert 'STOPPED: all' in out.getvalue()
