"""Pictures of a run, of laws, of a sweep: there, readable, not empty, and none without samples."""

import itertools
import math
from array import array
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from pandas import DataFrame
from PIL import Image

from soliton_encirclement_ros.analysis.plots.comparison_plots import (
    ALL as ALL_RUNS, _draw_law, curves_of_runs, on_common_times
)
from soliton_encirclement_ros.analysis.plots.run_plots import SHOWN_METRICS, draw_run, save_picture
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.experiments.result_tables import paired_table, run_table
from soliton_encirclement_ros.experiments.sweep_plots import draw_sweep, groups, varying_parameters
from support.drawn import assert_inside
from support.planned import CURVES, a_swept_run
from support.recorded.run_folder import PICTURES
from support.ros.bodies import adversary, agent, target

SCENARIO = Scenario('here').with_changes({'run': {'num_agents': 3}}, 'test')


def observed(ticks, agents=3):
    """Return an observer that has watched some agents for a while, one of them down at the end."""
    observer = Observer(SCENARIO.swarm)
    for tick in range(1, ticks + 1):
        now = tick * 0.05
        for k in range(1, agents + 1):
            place = (10.0 * k, 0.1 * tick, 0.0)
            failed = k == 2 and tick > ticks / 2
            observer.see_telemetry(TelemetryRow(k, now, place, (1.0, 0.0, 0.0), failed, ()))
            if not failed:
                observer.see_agent(now, agent(k, tick, place))
        observer.adversary = adversary(tick)
        observer.see_target(now, target(tick))
    return observer


def drawn(folder, ticks, agents):
    """Draw, check every picture, and return their folder."""
    paths = list(draw_run(folder, SCENARIO, observed(ticks, agents)))
    assert [path.name for path in paths] == list(PICTURES)
    for path in paths:
        with Image.open(path) as image:
            image.load()
            assert min(image.size) >= 400
    return folder


@pytest.fixture(scope='module')
def usual(tmp_path_factory):
    """Return the folder of the pictures of three agents."""
    return drawn(tmp_path_factory.mktemp('usual'), 200, 3)


@pytest.mark.parametrize(('ticks', 'agents'), [(1, 3), (2, 0)])
def test_every_picture_is_drawn_the_overview_last(tmp_path, usual, ticks, agents):
    assert len(list(drawn(tmp_path, ticks, agents).iterdir())) == len(list(usual.iterdir()))


def test_pictures_of_different_runs_differ(tmp_path, usual):
    list(draw_run(tmp_path, SCENARIO, observed(100)))
    for name in PICTURES:
        assert (tmp_path / name).read_bytes() != (usual / name).read_bytes()


def test_without_samples_nothing_is_drawn(tmp_path):
    assert list(draw_run(tmp_path, SCENARIO, Observer(SCENARIO.swarm))) == []
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_drawn_where_nothing_was_recorded(tmp_path, figures):
    observer = observed(100)
    for tick in range(1, 101):
        now = 60.0 + tick * 0.05
        observer.see_agent(now, agent(1, 100 + tick, (10.0, 0.0, 0.0)))
        observer.see_target(now, target(100 + tick))
    list(draw_run(tmp_path, SCENARIO, observer))
    *_, overview = figures
    rows = [axes for axes in overview.subfigs[1].axes if axes.lines]
    assert len(rows) > 3
    for axes in rows:
        time, values = (np.asarray(one, float) for one in axes.lines[0].get_data())
        assert not np.isfinite(values[(time > 5.2) & (time < 60.0)]).any()
        assert np.isnan(values[(time > 5.0) & (time < 60.0)]).any(), axes.get_ylabel()


def test_rounding_errors_are_no_curve(tmp_path, figures):
    observer = observed(100)
    observer.series['E_gap'][:] = array('d', [0.0078 + 1e-14 * (k % 7) for k in range(100)])
    list(draw_run(tmp_path, SCENARIO, observer))
    for figure in figures:
        figure.canvas.draw()
        for axes in (axis for part in (figure, *figure.subfigs) for axis in part.axes):
            low, high = axes.get_ylim()
            assert axes.yaxis.get_offset_text().get_text() == '' and high - low > 0.009


def test_names_stay_within_the_frame(tmp_path, figures):
    observer = observed(100)
    names = {name: f'{name}_of_a_long_name' for name in observer.trails}
    list(draw_run(tmp_path, SCENARIO, observer, names))
    assert_inside(figures[-1].subfigs[0].axes[0])


def test_they_are_drawn_one_at_a_time(tmp_path):
    pictures = draw_run(tmp_path, SCENARIO, observed(10))
    list(itertools.islice(pictures, 2))
    assert {path.name for path in tmp_path.iterdir()} == set(PICTURES[:2])


@pytest.mark.nightly
def test_many_bodies_are_drawn_in_a_moment(tmp_path):
    """A hundred thousand names would take hours, and nobody could read them."""
    observer = observed(2)
    trail = observer.trails['uav_1']
    observer.trails |= {f'uav_{k}': trail for k in range(4, 20_000)}
    assert len(list(draw_run(tmp_path, SCENARIO, observer))) == len(PICTURES)


LAW, GAIN, RADIUS = 'control.controller', 'control.k_tau', 'control.k_r'
LAWS = ('soliton', 'two_channel')
ALL = ['heat_map.png', 'boxes.png', 'convergence.png']


def swept(points, seeds=(1, 2, 3), **summary):
    return run_table([
        a_swept_run(i, seed, values, e_gap=0.1 * (i + seed), **summary)
        for i, values in enumerate(points)
        for seed in seeds
    ])  # fmt: skip


def colours(path):
    """Return how many different colours a picture has; it must be readable."""
    with Image.open(path) as picture:
        picture.verify()
    with Image.open(path) as picture:
        return len(picture.convert('RGB').getcolors(picture.width * picture.height))


def draw(folder, table, chosen=''):
    paired = paired_table(table, chosen) if chosen else DataFrame()
    drawn = draw_sweep(folder, 'title', table, paired, lambda point, seed: CURVES)
    return [path.name for path in drawn]


GRID = [{LAW: law, GAIN: gain, RADIUS: 1.0} for law in LAWS for gain in (0.1, 0.2)]
CLOUD = [{GAIN: 0.01 * i, RADIUS: 1.0 / (i + 1), LAW: law} for i in range(50) for law in LAWS]


@pytest.fixture(scope='module')
def grid(tmp_path_factory):
    """Return the folder of the pictures of a grid."""
    folder = tmp_path_factory.mktemp('grid')
    assert draw(folder, swept(GRID)) == ALL
    return folder


def test_all_pictures_are_there_and_not_empty(grid, tmp_path):
    assert draw(tmp_path, swept(CLOUD)) == ALL
    for path in (*grid.iterdir(), *tmp_path.iterdir()):
        assert colours(path) > 50, path


def test_values_show(grid, tmp_path):
    draw(tmp_path, swept(GRID[::-1]))
    for name in ('heat_map.png', 'boxes.png'):
        assert (grid / name).read_bytes() != (tmp_path / name).read_bytes()


@pytest.mark.parametrize(
    ('points', 'seeds'), [([{}], (1,)), ([{LAW: law} for law in LAWS], (1, 2, 3))],
    ids=['one run', 'laws alone'],
)  # fmt: skip
def test_where_fewer_than_two_parameters_vary_there_is_no_heat_map(tmp_path, points, seeds):
    assert draw(tmp_path, swept(points, seeds)) == ['boxes.png', 'convergence.png']


def test_texts_nothing_and_truth_can_be_axes(tmp_path):
    points = [
        {'mobility.tau_xy': tau, 'failure.failure_enable': on}
        for tau in (None, 1.0) for on in (True, False)
    ]  # fmt: skip
    assert draw(tmp_path, swept(points))[0] == 'heat_map.png'


def test_figures_that_are_never_or_missing_can_be_drawn(tmp_path):
    table = swept(GRID, settling_time_s=None)
    frame = table.frame.assign(E_gap=math.nan, E_r=math.inf)
    assert len(draw(tmp_path, table._replace(frame=frame))) == 3


def test_a_chosen_law_has_a_forest_plot_of_its_ratios(tmp_path):
    assert draw(tmp_path, swept(GRID), 'two_channel') == [ALL[0], 'forest.png', *ALL[1:]]
    assert colours(tmp_path / 'forest.png') > 20


def test_what_varies_with_its_values_in_order():
    assert varying_parameters(swept(GRID)) == {GAIN: [0.1, 0.2], 'controller': [*LAWS]}


@pytest.mark.parametrize(
    ('most', 'first', 'sizes'),
    [
        (4, 'controller soliton, k_tau 0.1, k_r 1', [3] * 4),
        (3, 'controller soliton', [6, 6]),
        (1, 'all points', [12]),
    ],
)
def test_groups_are_points_then_laws_then_all(most, first, sizes):
    found = groups(swept(GRID), most)
    assert next(iter(found)) == first
    assert [len(part) for part in found.values()] == sizes


def test_without_laws_another_parameter_groups():
    points = [{GAIN: gain, RADIUS: float(k)} for gain in (0.2, 0.1, 0.3) for k in range(4)]
    assert list(groups(swept(points), 3)) == ['k_tau 0.1', 'k_tau 0.2', 'k_tau 0.3']


def test_runs_without_curves_are_left_out_of_them(tmp_path):
    nothing = {'time': []}
    drawn = list(draw_sweep(tmp_path, 'title', swept(GRID), DataFrame(), lambda *_: nothing))
    assert drawn[-1].name == 'convergence.png'


def series(length: int, level: float) -> dict[str, list[float]]:
    """Return samples of all metrics at one level."""
    return {'time': [0.05 * k for k in range(length)]} | {
        name: [level] * length for name in SHOWN_METRICS
    }


@pytest.mark.parametrize('runs', [
    {'one': [series(50, 0.1), series(40, 0.2)], 'two': [series(30, 0.5), series(30, 0.3)]},
    {f'law {k}': [series(5, 0.1 * k)] for k in range(7)},
], ids=['bands', 'many'])  # fmt: skip
def test_a_picture_is_drawn(tmp_path: Path, runs: dict) -> None:
    """Large enough to be read, and not blank."""
    path = tmp_path / 'laws.png'
    save_picture(curves_of_runs('a scenario', runs), path)
    with Image.open(path) as image:
        assert min(image.size) >= 600
        darkest, brightest = image.convert('L').getextrema()
        assert darkest < 100 < 250 < brightest


def run_at(step: float, duration: float = 10.0):
    """Return a run whose metric is its time."""
    time = step * np.arange(1, round(duration / step) + 1)
    return {'time': time.tolist(), 'E_gap': time.tolist()}


def lines_of(series):
    axes = Figure().add_subplot()
    _draw_law(axes, 'law', on_common_times(series, 'E_gap'), ('black', '-'), ALL_RUNS)
    (line,) = axes.get_lines()
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_runs_of_different_telemetry_rates_are_paired_by_time():
    for series in ([run_at(0.05), run_at(0.5)], [run_at(0.5), run_at(0.05)]):
        time, median = lines_of(series)
        assert np.allclose(median, time)
        assert time[-1] > 9.9


def test_runs_of_one_rate_are_drawn_sample_by_sample():
    time, median = lines_of([run_at(0.05), run_at(0.05, 4.0)])
    assert time.tolist() == run_at(0.05, 4.0)['time'] and np.array_equal(time, median)
