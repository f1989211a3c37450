"""The pictures of a sweep: there, readable, and not empty."""

import math

import pytest
from PIL import Image
from soliton_encirclement_ros.analysis.plots.sweep_plots import draw_sweep
from soliton_encirclement_ros.analysis.sweep.sweep_tables import measure
from support.planned import CURVES, a_swept_run

LAW, GAIN, RADIUS = 'control.controller', 'control.k_tau', 'control.k_r'
LAWS = ('soliton', 'two_channel')
ALL = ['heat_map.png', 'boxes.png', 'convergence.png']


def swept(points, seeds=(1, 2, 3), **summary):
    return measure([
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


def draw(folder, runs):
    return [path.name for path in draw_sweep(folder, 'title', runs, lambda run: CURVES)]


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
    'points', [[{}], [{LAW: law} for law in LAWS]], ids=['one point', 'laws alone']
)
def test_where_fewer_than_two_parameters_vary_there_is_no_heat_map(tmp_path, points):
    assert draw(tmp_path, swept(points)) == ['boxes.png', 'convergence.png']


def test_a_single_run_can_be_drawn(tmp_path):
    assert draw(tmp_path, swept([{}], seeds=(1,))) == ['boxes.png', 'convergence.png']


def test_texts_nothing_and_truth_can_be_axes(tmp_path):
    points = [
        {'mobility.tau_xy': tau, 'failure.failure_enable': on}
        for tau in (None, 1.0) for on in (True, False)
    ]  # fmt: skip
    assert draw(tmp_path, swept(points))[0] == 'heat_map.png'


def test_figures_that_are_never_or_missing_can_be_drawn(tmp_path):
    runs = swept(GRID, settling_time_s=None)
    missing = [one._replace(values={**one.values, 'E_gap': None, 'E_r': math.inf}) for one in runs]
    assert len(draw(tmp_path, missing)) == 3


def test_runs_without_curves_are_left_out_of_them(tmp_path):
    drawn = list(draw_sweep(tmp_path, 'title', swept(GRID), lambda run: {'time': []}))
    assert drawn[-1].name == 'convergence.png'
