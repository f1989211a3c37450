"""A flight as a picture that moves."""

import numpy as np
import pytest
from PIL import Image, ImageSequence

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.flight_window import between
from soliton_encirclement_ros.analysis.plots import video as video_module
from soliton_encirclement_ros.analysis.plots.video import LONGEST, draw_video
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import recording_of

FEW = 4.0
"""Pictures a second: a third of the usual ones is enough here."""


@pytest.fixture(scope='module')
def flight():
    """Return the recording of ten agents for 30 s; one is down from the middle on."""
    return recording_of(Scenario().with_changes({
        'run': {'sim_duration': 30.0, 'num_agents': 10},
        'failure': {'failure_mean_failures_per_min': 0.0, 'failure_schedule': '16..40: 2'},
    }, 'test'))  # fmt: skip


@pytest.fixture(scope='module')
def video(flight, tmp_path_factory):
    """Return its video, and what was told while it was drawn."""
    told = []
    path = tmp_path_factory.mktemp('video') / 'flight.gif'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(video_module, 'RATE', FEW)
        draw_video(path, find(flight), lambda *done: told.append(done))
    return path, told


def reds(picture):
    """Return how many pixels of a picture are red; the adversary is orange."""
    red, green, blue = np.moveaxis(np.asarray(picture.convert('RGB')).astype(int), 2, 0)
    return int(((red - green > 90) & (red - blue > 90)).sum())


def test_a_long_flight_is_shown_faster_and_loops(video):
    path, told = video
    with Image.open(path) as gif:
        assert (gif.size, gif.info['loop']) == ((800, 480), 0)
        lengths = [one.info['duration'] for one in ImageSequence.Iterator(gif)]
        assert sum(lengths) / 1000.0 == pytest.approx(LONGEST, abs=2.0 / FEW)
    assert told == [(k, told[-1][1]) for k in range(1, told[-1][1] + 1)]
    assert path.stat().st_size < 2_000_000


def test_who_is_down_is_red(video):
    path, _ = video
    with Image.open(path) as gif:
        count = gif.n_frames
        gif.seek(count // 4)
        assert reds(gif) == 0
        gif.seek(count - 2)
        assert reds(gif) > 20


def test_without_a_target_there_are_no_curves_beside(flight, tmp_path):
    alone = between(flight, 0.0, 1.0)._replace(members={'uav_1': flight.members['uav_1']})
    with Image.open(draw_video(tmp_path / 'one.gif', find(alone))) as gif:
        assert gif.size == (480, 480)
