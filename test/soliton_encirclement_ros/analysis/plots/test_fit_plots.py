"""The picture of a fit: drawn, of the most_excited agent, and different for different fits."""

import numpy as np
import pytest
from PIL import Image
from soliton_encirclement_ros.analysis.fit import fit, roll_out
from soliton_encirclement_ros.analysis.plots.fit_plots import MAX_SAMPLES, draw_fit, most_excited
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import constant, flight, noisy, steps


@pytest.fixture(scope='module')
def found():
    chance = np.random.default_rng(1)
    told = constant(0.0, 0.0, 0.0, duration=20.0), steps(chance, duration=20.0)
    members = [noisy(flight(one, name=f'uav_{k}'), chance) for k, one in enumerate(told, 1)]
    return fit(members, fly=compiled(roll_out))


def test_it_is_drawn(found, tmp_path):
    path = tmp_path / 'fit.png'
    draw_fit(path, found, 'two agents')
    with Image.open(path) as image:
        image.load()
        assert min(image.size) >= 600


@pytest.mark.nightly
def test_other_data_are_another_picture_and_the_same_the_same(found, tmp_path):
    pictures = [tmp_path / f'{k}.png' for k in range(3)]
    turned = found._replace(curves=tuple(
        one._replace(measured=one.measured[::-1]) for one in found.curves
    ))  # fmt: skip
    for path, what in zip(pictures, (found, found, turned), strict=True):
        draw_fit(path, what, 'two agents')
    first, again, other = (path.read_bytes() for path in pictures)
    assert first == again != other


def test_the_agent_that_moves_is_shown_and_not_too_much_of_it(found):
    agent, shown = most_excited(found.curves * 40)
    assert agent == 'uav_2'
    assert sum(len(one.time) for one in shown) <= MAX_SAMPLES
