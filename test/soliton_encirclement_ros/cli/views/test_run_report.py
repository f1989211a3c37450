"""What a run came to, for people."""

import io
import math
from functools import partial
from types import SimpleNamespace

import pytest
from rich.console import Console

from soliton_encirclement_ros.cli.views.run_report import draw, plots_of, report
from soliton_encirclement_ros.cli.views.terminal_display import plain
from soliton_encirclement_ros.core.flight_statistics.near_misses import RATES
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.run.summary import summarise
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.full_disk import limit
from support.here import swarm_here
from support.plain_loop import SwarmLoop

__all__ = ['limit', 'swarm_here']

FACTS = {'real_time_factor': 2.0, 'missed_answers': 0, 'interrupted': False, 'complete': True}


def flown():
    loop = SwarmLoop(
        Scenario().with_changes({'run': {'num_agents': 3, 'sim_duration': 1.0}}, 'test')
    )
    loop.fly()
    return loop


def reported(summary, **more):
    out = io.StringIO()
    report({**summary, **more}, 'runs/x', None, Console(file=out, width=200))
    return out.getvalue()


NEAR = {
    'min_separation_m': 1.234, 'min_separation_time_s': 5.05,
    'min_separation_pair': ['uav_1', 'uav_4'],
    **dict(zip(RATES, (3.06, 0.5, 0.0), strict=True)),
}  # fmt: skip


@pytest.mark.parametrize(
    ('more', 'words'),
    [
        ({}, 'NOT ENCIRCLED: '),
        ({'settling_time_s': 3.5}, '\nsettled after 3.50 s\n'),
        ({'first_sample_s': 1.98}, '\nnothing is known of the first 2.0 s: the target was not h'),
        ({'interrupted': True}, 'interrupted; the run folder has'),
        ({'complete': False}, 'incomplete, data is missing: see the logs in runs/x/log'),
        ({}, ', 2.0 times as fast as real time\nnever settled: not within the bounds of'),
        ({'verdict': {'encircled': True, 'why': ''}}, 'enough (the verdict judges the means of'),
        ({'agents': 1}, ': 1 agent '),
        (
            {'failures': 2, 'settling_time_s': 0.0499999},
            'real time\nsettled after 0.05 s\nfailures 2, recovered 0\nnever two',
        ),
        ({}, 'never two agents at once\n'),
        ({'missed_answers': 3}, '\n3 answers came too late for their tick, or never\n'),
        ({'min_separation_m': 1.234}, 'smallest separation 1.23 m\n'),
        (
            NEAR,
            'smallest separation 1.23 m (uav_1 and uav_4 at 5.05 s)\nnear misses per min: '
            '3.1 below 2 m, 0.5 below 1 m, 0.0 below 0.5 m\n',
        ),
    ],
)
def test_the_report_says_what_happened_also_when_nothing_did(more, words):
    empty = summarise(Scenario(), Observer(Scenario().swarm), FACTS)
    assert words in reported(empty, **more)
    assert 'real time' not in reported(empty, **more, real_time_factor=None)


def test_what_is_missing_is_told_in_the_report_itself_once():
    empty = summarise(Scenario(), Observer(Scenario().swarm), FACTS)
    out = io.StringIO()
    faults = ['uav_2 died: signal 9', 'bag: disk full', 'bag: disk full']
    report({**empty, 'complete': False}, 'runs/x', None, Console(file=out, width=200), faults)
    text = 'incomplete, data is missing: uav_2 died: signal 9\n  bag: disk full\nNOT'
    assert text in out.getvalue()


def test_pictures_are_drawn_and_the_overview_is_the_last(tmp_path):
    loop, lines = flown(), []
    asked = SimpleNamespace(count=0)
    plots = partial(plots_of, loop.scenario, loop.observer, tmp_path)
    drawn, is_whole = draw(plots, tmp_path, asked, lines.append)
    assert (drawn[-1], is_whole) == (tmp_path / 'overview.png', True)
    assert len(list(tmp_path.glob('*.png'))) == 6
    assert lines == []


def test_a_further_interrupt_leaves_the_other_pictures_out(tmp_path, monkeypatch):
    asked = SimpleNamespace(count=1)

    def draw_run(folder, scenario, observer):
        for name in 'abc':
            asked.count += 1
            yield folder / name

    monkeypatch.setattr('soliton_encirclement_ros.analysis.plots.run_plots.draw_run', draw_run)
    plots = partial(plots_of, None, None, tmp_path)
    assert draw(plots, tmp_path, asked, print) == ([tmp_path / 'a'], True)


def test_a_picture_that_cannot_be_written_is_told_in_one_line(tmp_path):
    loop, lines = flown(), []
    gone, nobody = tmp_path / 'gone', SimpleNamespace(count=0)
    plots = partial(plots_of, loop.scenario, loop.observer, gone)
    assert draw(plots, gone, nobody, lines.append) == ([], False)
    assert lines == [f'{tmp_path / "gone"}: cannot draw: No such file or directory']


def test_a_full_disk_leaves_no_empty_picture(tmp_path, limit):
    loop, lines = flown(), []
    (tmp_path / 'metric_rho.png').write_bytes(b'of before')
    limit(5000)
    plots = partial(plots_of, loop.scenario, loop.observer, tmp_path)
    drawn = draw(plots, tmp_path, SimpleNamespace(count=0), lines.append)
    assert (drawn, lines) == (([], False), [f'{tmp_path}: cannot draw: File too large'])
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ('metric_rho.png', b'of before')
    ]


def test_no_number_is_a_dash():
    assert (plain(None, 'g'), plain(math.nan, 'g'), plain(0.0, '.1f')) == ('-', '-', '0.0')


def test_pictures_that_are_lost_count_as_output(swarm_here, monkeypatch):
    """Exit code 1 also of a run that has met its verdict."""

    def refuse(*_):
        raise OSError(28, 'No space left on device')

    words = ('simulate', 'still', '--agents', '3', '--duration', '20', '--pictures')
    assert swarm_here(*words).code == 0
    monkeypatch.setattr('soliton_encirclement_ros.analysis.plots.run_plots.draw_run', refuse)
    done = swarm_here(*words)
    assert done.code == 1 and 'incomplete, data is missing: ' in done.out
    assert done.err.endswith(': cannot draw: No space left on device\n')
