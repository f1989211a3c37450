"""The turn to the right that dissolves a symmetric standstill."""

import math

import pytest

from soliton_encirclement_ros.safety.filter_records import Detour
from soliton_encirclement_ros.safety.passing import decay_turn, detour_of, next_turn, rotate_right

HOW = Detour()
DT = 0.05


def test_right_is_clockwise():
    assert rotate_right(0.0, 1.0, math.pi / 2) == pytest.approx((1.0, 0.0))
    assert rotate_right(1.0, 0.0, math.pi / 2) == pytest.approx((0.0, -1.0))


def test_it_grows_without_progress_and_fades_with_it():
    stuck = next_turn(HOW, 0.3, 5.0, 0.0, 0.0, 3.0, DT)
    assert stuck == pytest.approx(0.35)
    assert next_turn(HOW, stuck, 5.0, 0.0, 4.0, 0.0, DT) == pytest.approx(0.3)
    assert decay_turn(HOW, 0.3, DT) == pytest.approx(0.25)
    assert decay_turn(HOW, 0.01, DT) == 0.0


def test_an_agent_that_moves_does_not_turn_further_than_the_most():
    turn = 0.0
    for _ in range(200):
        turn = next_turn(HOW, turn, 5.0, 0.0, 0.0, 3.0, DT)
    assert turn == HOW.most


def test_one_that_is_blocked_looks_all_round():
    turns, turn = [], 0.0
    for _ in range(300):
        turn = next_turn(HOW, turn, 5.0, 0.0, 0.0, 0.0, DT)
        turns.append(turn)
    assert max(turns) > 6.0
    assert min(turns[150:]) == HOW.bias


def test_it_starts_with_the_bias_and_ends_with_the_wish():
    assert next_turn(HOW, 0.0, 5.0, 0.0, 5.0, 0.0, DT) == HOW.bias
    assert next_turn(HOW, 1.0, 0.01, 0.0, 0.0, 0.0, DT) == 0.0


def test_the_speed_is_kept():
    assert math.hypot(*detour_of(HOW, 1.3, 3.0, 4.0)) <= 5.0
