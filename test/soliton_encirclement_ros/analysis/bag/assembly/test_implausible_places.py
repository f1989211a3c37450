"""Positions that cannot be those of bodies in metres from one origin, with z up."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.bag.assembly.implausible_places import (
    Beginning,
    implausible_places,
    origins_apart,
    still_bodies,
    upright_planes,
)
from soliton_encirclement_ros.analysis.recording import Track

TIME = np.arange(200) * 0.02
CIRCLE = np.column_stack([8 * np.cos(TIME), 8 * np.sin(TIME), 10 + 0 * TIME])
SPEED = np.column_stack([-8 * np.sin(TIME), 8 * np.cos(TIME), 0 * TIME])
FROM_HERE = np.zeros(3)


def in_turn(count: int) -> np.ndarray:
    """Return positions of bodies 20 m apart, a message of each in turn."""
    return CIRCLE + 20.0 * (np.arange(len(TIME)) % count)[:, None] * [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ('place', 'children', 'line'),
    [
        (CIRCLE, {'uav_1/base_link'}, ''),
        (CIRCLE, {'a/base_link', 'b/base_link'}, '2 child frames on one topic, of several bodies'),
        (in_turn(2), (), 'positions alternate between 2 places, 20.00 m apart: 2 publishers on'),
        (in_turn(3), (), 'positions alternate between 3 places, '),
        (1000.0 * CIRCLE, (), 'moves at 8000 m/s: are its positions in mm?'),
        (CIRCLE / 111_000.0 + 47.0, (), 'moves at 7.2e-05 of its unit per second where its twist'),
    ],
)
def test_places_of_several_bodies_or_in_other_units_are_named(place, children, line):
    found = implausible_places(TIME, place, SPEED, children)
    assert found.startswith(line) and bool(found) is bool(line)


def test_a_jump_there_and_back_or_none_at_all_is_one_body():
    jumped = CIRCLE.copy()
    jumped[50:120] += 30.0
    for place, velocity in ((jumped, SPEED), (0 * CIRCLE, SPEED), (CIRCLE[:1], SPEED[:1])):
        assert implausible_places(TIME[: len(place)], place, velocity, ()) == ''


@pytest.mark.parametrize(
    ('frames', 'is_simulated', 'is_told'),
    [
        (('map', 'map'), True, False),
        (('map', 'map'), False, True),
        (('odom', 'odom'), True, True),
        (('a/odom', 'b/odom'), True, True),
        (('', ''), False, False),
        (('odom', 'map'), True, False),
    ],
)
def test_bodies_at_one_place_have_origins_of_their_own(frames, is_simulated, is_told):
    begun = {
        name: Beginning(FROM_HERE, frozenset(filter(None, [frame])))
        for name, frame in zip('ab', frames, strict=True)
    }
    assert bool(origins_apart(begun, is_simulated)) is is_told
    apart = {**begun, 'b': begun['b']._replace(place=FROM_HERE + 0.2)}
    assert origins_apart(apart, is_simulated) == []


def track(place: np.ndarray) -> Track:
    """Return a track along positions."""
    return Track(TIME, place, 0 * place, 0 * TIME)


def test_bodies_that_all_move_in_a_vertical_plane_may_have_y_up():
    wide = 8.0 * np.column_stack([np.cos(2 * TIME), np.sin(2 * TIME), 0 * TIME])
    upright = wide[:, [0, 2, 1]]
    tracks = {'a': track(upright), 'b': track(-upright), 'on_ground': track(0 * wide)}
    (line,) = upright_planes(tracks)
    assert line.startswith('a, b move in a vertical plane, y within 0.00 m and height over 16.0 m')
    for others in ({}, {'b': track(wide)}, {'b': track(wide * [0.0, 0.0, 1.0])}):
        assert [*upright_planes({'a': track(upright), **others})] == []


def test_what_never_moves_while_others_do_may_be_no_vehicle():
    still, moved = track(0 * CIRCLE), track(CIRCLE)
    (line,) = still_bodies({'a': moved, 'table': still, 'target': still})
    assert line.startswith('table never move')
    assert [*still_bodies({'table': still})] == []
