"""Pictures of a run: the seed's names, something to see, and none without samples."""

import itertools

import pytest
from PIL import Image
from soliton_encirclement_ros.analysis.plots.run_plots import draw_run
from soliton_encirclement_ros.core.laws.telemetry import TelemetryRow
from soliton_encirclement_ros.core.run.observer import Observer
from soliton_encirclement_ros.core.scenario.scenario import Scenario
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
