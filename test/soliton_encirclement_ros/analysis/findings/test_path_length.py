"""The way that was flown: not across gaps, and not that of the noise."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.findings.agent_figures import path_length
from support.recorded.recordings import body, recording_with

RNG = np.random.default_rng(4)


def eight(time: np.ndarray, size: float = 5.0, rate: float = 0.4) -> np.ndarray:
    turn = rate * time
    return size * np.column_stack([np.sin(turn), np.sin(2.0 * turn) / 2.0, 0.2 * np.sin(turn)])


def noisy(place: np.ndarray, deviation: float) -> np.ndarray:
    return place + RNG.normal(0.0, deviation, place.shape)


def test_a_pause_is_no_way_and_no_time() -> None:
    time = np.concatenate([np.arange(0.0, 10.0, 0.05), np.arange(60.0, 70.0, 0.05)])
    place = np.outer(time % 60.0, (2.0, 0.0, 0.0)) + np.outer(time > 50.0, (0.0, 99.0, 0.0))
    (one,) = find(recording_with(body('a', time, place))).agents
    assert one.distance == pytest.approx(39.8) and one.mean_speed == pytest.approx(2.0)


def test_a_message_that_is_lost_is_no_gap() -> None:
    time = np.delete(np.arange(0.0, 10.0, 0.05), np.arange(50, 60))
    place = np.outer(time, (2.0, 0.0, 0.0))
    assert path_length(time, place, True) == pytest.approx((19.9, 9.95))


@pytest.mark.parametrize('deviation', [0.002, 0.02, 1.0])
def test_who_hovers_has_flown_nothing(deviation: float) -> None:
    time = np.arange(0.0, 60.0, 0.02)
    (one,) = find(recording_with(body('a', time, noisy(np.zeros((3000, 3)), deviation)))).agents
    assert (one.distance, one.mean_speed) == (0.0, 0.0)


@pytest.mark.parametrize('deviation', [0.0, 1e-6, 0.001, 0.01, 0.03])
def test_noise_hardly_changes_the_way(deviation: float) -> None:
    time = np.arange(0.0, 60.0, 0.02)
    true = path_length(time, eight(time), False)[0]
    found = path_length(time, noisy(eight(time), deviation), True)[0]
    assert found == pytest.approx(true, rel=0.015)


@pytest.mark.parametrize('step', [0.01, 0.1, 0.5, 1.0])
def test_a_motion_that_is_sampled_coarsely_is_no_noise(step: float) -> None:
    time = np.arange(0.0, 60.0, step)
    true = path_length(time, eight(time), False)[0]
    assert path_length(time, eight(time), True)[0] == pytest.approx(true, rel=0.01)


def test_few_samples_have_no_noise() -> None:
    assert path_length(np.arange(3.0), np.eye(3), True)[0] == pytest.approx(2.0 * 2.0**0.5)
    assert path_length(np.arange(1.0), np.eye(3)[:1], True) == (0.0, 0.0)
